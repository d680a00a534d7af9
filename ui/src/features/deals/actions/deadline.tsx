import { Note } from '@/components/note';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { disputeBanner, trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { Countdown, DueText } from '../countdown';
import type { DealView } from '../deal-view';

type Props = { view: DealView };
type ByItself = NonNullable<DealView['deal']['nextAction']>;

/** The moves before a delivery, for which the due date counts. */
const DELIVERING: readonly DealView['move'][] = ['agree', 'waitAgree', 'deliver', 'waitDelivery'];

function DueClock({ view: { deal } }: Props) {
  const t = useTexts(deals);
  const now = useNow();
  if (!(deal.deliveryDuration > 0)) return <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />;
  const past = Date.parse(deal.dueAt) <= now;
  return <Countdown until={deal.dueAt} label={t(past ? 'move.delivery' : 'move.dueIn')} />;
}

function useLabel({ side, other }: DealView): (action: ByItself) => string {
  const t = useTexts(trouble);
  const tDeals = useTexts(deals);
  const name = other.username;
  const buying = side === 'buyer';
  return (action) => {
    switch (action) {
      case 'complete':
        return buying ? t('clock.complete', { name }) : t('clock.completeYou');
      case 'refund':
        return buying ? t('clock.refundYou') : t('clock.refund', { name });
      case 'expire':
        return tDeals('move.dueIn');
      default:
        return t(`clock.${action}`);
    }
  };
}

function NextClock({ view, action, at }: Props & { action: ByItself; at: string }) {
  const t = useTexts(trouble);
  const label = useLabel(view);
  const past = Date.parse(at) <= useNow();
  return <Countdown until={at} label={past ? t('clock.byItself') : label(action)} past={t('clock.now')} />;
}

function UntilDue({ view }: Props) {
  return (
    <>
      <DueClock view={view} />
      <Sentence view={view} />
    </>
  );
}

function Sentence({ view: { deal, price } }: Props) {
  const t = useTexts(deals);
  const { nextAction, nextActionAt } = deal;
  if (nextActionAt === null || (nextAction !== 'expire' && nextAction !== 'refund')) return null;
  return (
    <p className="text-sm text-muted-foreground">
      {t(`clock.${nextAction}`, { when: formatTime(nextActionAt, 'long'), sum: usd(price) })}
    </p>
  );
}

export function Expiry({ view }: Props) {
  return view.deal.status === 'Pending' ? <Sentence view={view} /> : null;
}

/** The due date, then the next automatic action, or why there is none. */
export function Deadline({ view }: Props) {
  const t = useTexts(deals);
  const tDisputeBanner = useTexts(disputeBanner);
  const now = useNow();
  const { deal, move } = view;
  const { nextAction, nextActionAt } = deal;
  if (!isOpen(deal.status)) return null;
  if (deal.frozen || deal.escalated) {
    return (
      <Note kind="wait" className="mt-4">
        {view.disputeId !== null && deal.frozen && !deal.suspended
          ? tDisputeBanner('paused')
          : t(deal.suspended ? 'clock.suspended' : deal.frozen ? 'clock.frozen' : 'clock.escalated')}
      </Note>
    );
  }
  const delivering = DELIVERING.includes(move);
  const late = delivering && Date.parse(deal.dueAt) <= now;
  if (nextAction === null || nextActionAt === null) return delivering ? <DueClock view={view} /> : null;
  if (delivering && !late && nextAction === 'refund') return <UntilDue view={view} />;
  return (
    <>
      {late ? (
        <p className="mt-4 font-semibold">
          <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />
        </p>
      ) : null}
      <NextClock view={view} action={nextAction} at={nextActionAt} />
    </>
  );
}
