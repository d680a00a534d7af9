import { ChevronRight, DoorOpen, HandCoins, LifeBuoy, type LucideIcon, OctagonPause, RotateCcw, Undo2 } from 'lucide-react';
import { Note } from '@/components/khata/note';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/trouble';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { useActionLabel } from './action-button';
import type { DealActions } from './actions';
import { type Action, troubles } from './allowed';
import type { DealView } from './deal';
import { SupportLink } from './trouble-button';
import './trouble.css';

type Props = { view: DealView; actions: DealActions };

const ICONS: Partial<Record<Action, LucideIcon>> = { reset: RotateCcw, request: Undo2, leave: DoorOpen, giveUp: HandCoins };

function Row({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <>
      <Icon aria-hidden="true" />
      <span className="fill">
        <b className="b">{title}</b>
        <small className="m t14">{text}</small>
      </span>
      <ChevronRight className="i16" aria-hidden="true" />
    </>
  );
}

function Choices({ view, actions }: Props) {
  const t = useTexts(trouble);
  const label = useActionLabel(view);
  const params = { name: view.other.username, sum: usd(view.price), back: usd(view.payout) };
  const texts: Partial<Record<Action, string>> = {
    reset: t('resetText', params),
    request: t('requestText', params),
    leave: t(view.sellerGone ? 'leaveSuspendedText' : 'leaveText', params),
    giveUp: t('giveUpText', params),
  };
  return (
    <ul className="choices">
      {troubles(view).map((action) => (
        <li key={action}>
          <button type="button" className="choices__row" onClick={() => actions.ask(action)}>
            <Row icon={ICONS[action] ?? OctagonPause} title={label(action)} text={texts[action] ?? ''} />
          </button>
        </li>
      ))}
      <li>
        <SupportLink view={view} className="choices__row">
          <Row icon={LifeBuoy} title={t('support')} text={t('supportText')} />
        </SupportLink>
      </li>
    </ul>
  );
}

/** How many requests are left, why there is none, and from when the buyer can do without. */
function Limits({ view: { deal, side, leavable } }: { view: DealView }) {
  const t = useTexts(trouble);
  if (side === 'seller' || leavable) return null;
  return (
    <>
      {deal.requestsLeft > 0 ? (
        <p className="t14 m">{t('left', { count: deal.requestsLeft })}</p>
      ) : (
        <Note kind="info">{t('noneLeft')}</Note>
      )}
      {deal.exitAt === null ? null : <p className="t14 m">{t('exit', { when: formatTime(deal.exitAt, 'long') })}</p>}
    </>
  );
}

/** "Something is wrong": what can be done about it, each only where the deal allows it, and what it means. */
export function TroubleDialog({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <Dialog
      open={actions.asked === 'trouble'}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      <DialogContent title={t('title')} description={t('lede')} className="asks troubles">
        <Choices view={view} actions={actions} />
        <Limits view={view} />
      </DialogContent>
    </Dialog>
  );
}
