import { Link } from '@tanstack/react-router';
import { ChevronRight, DoorOpen, HandCoins, type LucideIcon, OctagonPause, Scale, Undo2 } from 'lucide-react';
import { DialogPanel } from '@/components/dialog-panel';
import { Note } from '@/components/note';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { disputeBanner, trouble } from '@/i18n/en/deal-page';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { Action } from '../actions/deal-actions';
import { troubleActions } from '../actions/deal-actions';
import type { DealActions } from '../actions/use-deal-actions';
import { useActionLabel } from '../actions/use-deal-actions';
import type { DealView } from '../deal-view';
import { SupportLink } from './trouble-button';

type Props = { view: DealView; actions: DealActions };

const ICONS: Partial<Record<Action, LucideIcon>> = { request: Undo2, leave: DoorOpen, giveUp: HandCoins };

const ROW = 'flex min-h-16 w-full items-center gap-3.5 px-2 py-3 text-start no-underline hover:bg-muted';

function Row({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <>
      <Icon aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <b className="font-semibold">{title}</b>
        <small className="block text-sm text-muted-foreground">{text}</small>
      </span>
      <ChevronRight className="size-4" aria-hidden="true" />
    </>
  );
}

function DisputeLink({ view: { deal, disputeId, other } }: { view: DealView }) {
  const t = useTexts(disputeBanner);
  if (disputeId !== null) {
    return (
      <Link to="/disputes/$id" params={{ id: disputeId }} className={ROW}>
        <Row icon={Scale} title={t('toDispute')} text={t('toDisputeText')} />
      </Link>
    );
  }
  return (
    <Link to="/deal/$dealId/dispute" params={{ dealId: deal._id }} className={ROW}>
      <Row icon={Scale} title={t('open')} text={t('openText', { name: other.username })} />
    </Link>
  );
}

function Choices({ view, actions }: Props) {
  const t = useTexts(trouble);
  const label = useActionLabel(view);
  const params = { name: view.other.username, sum: usd(view.price), back: usd(view.payout) };
  const texts: Partial<Record<Action, string>> = {
    request: t('requestText', params),
    leave: t(view.sellerGone ? 'leaveSuspendedText' : 'leaveText', params),
    giveUp: t('giveUpText', params),
  };
  return (
    <ul className="border-t border-border-strong">
      {troubleActions(view).map((action) => (
        <li key={action} className="border-b">
          <button type="button" className={ROW} onClick={() => actions.ask(action)}>
            <Row icon={ICONS[action] ?? OctagonPause} title={label(action)} text={texts[action] ?? ''} />
          </button>
        </li>
      ))}
      <li className="border-b">
        <DisputeLink view={view} />
      </li>
    </ul>
  );
}

/** The remaining requests, why there are none, and when the buyer may leave. */
function Limits({ view: { deal, side, leavable } }: { view: DealView }) {
  const t = useTexts(trouble);
  if (side === 'seller' || leavable) return null;
  return (
    <>
      {deal.requestsLeft > 0 ? (
        <p className="text-sm text-muted-foreground">{t('left', { count: deal.requestsLeft })}</p>
      ) : (
        <Note kind="info" className="mt-4">
          {t('noneLeft')}
        </Note>
      )}
      {deal.exitAt === null ? null : (
        <p className="text-sm text-muted-foreground">{t('exit', { when: formatTime(deal.exitAt, 'long') })}</p>
      )}
    </>
  );
}

export function TroubleDialog({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <Dialog
      open={actions.asked === 'trouble'}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      <DialogPanel
        title={t('title')}
        description={t('lede')}
        className="**:data-[slot=dialog-description]:mt-4 xs:w-120 [&>p]:mt-4"
      >
        <Choices view={view} actions={actions} />
        <Limits view={view} />
        {view.disputeId === null ? (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground">
            {t('supportHint')} <SupportLink view={view} />
          </p>
        ) : null}
      </DialogPanel>
    </Dialog>
  );
}
