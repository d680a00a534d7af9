import { isOwnTurn } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { Countdown, DueText } from '../countdown';
import type { DealView } from '../deal-view';

type Props = { view: DealView };
type ByItself = NonNullable<DealView['deal']['nextAction']>;

/** The moves before a delivery, for which the due date counts. */
const DELIVERING: readonly DealView['move'][] = ['agree', 'waitAgree', 'deliver', 'waitDelivery'];

function DueClock({ view: { deal, next } }: Props) {
  const t = useTexts(deals);
  const now = useNow();
  if (!(deal.deliveryDuration > 0)) return <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />;
  const past = Date.parse(deal.dueAt) <= now;
  return <Countdown until={deal.dueAt} label={t(past ? 'move.delivery' : 'move.dueIn')} small={!isOwnTurn(next)} />;
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
  return (
    <Countdown
      until={at}
      label={past ? t('clock.byItself') : label(action)}
      past={t('clock.now')}
      small={!isOwnTurn(view.next)}
    />
  );
}

/** An offer's due date, and when it expires unpaid. */
function Offered({ view: { deal } }: Props) {
  const t = useTexts(deals);
  return (
    <p className="mt-2 text-sm text-muted-foreground">
      <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />
      {deal.nextAction === 'expire' && deal.nextActionAt !== null ? (
        <span className="block">{t('clock.expire', { when: formatTime(deal.nextActionAt, 'long') })}</span>
      ) : null}
    </p>
  );
}

/** The due date, then the next automatic action. Why there is none, the deal's sentence says. */
export function Deadline({ view }: Props) {
  const now = useNow();
  const { deal, move } = view;
  const { nextAction, nextActionAt } = deal;
  if (deal.status === 'Pending') return <Offered view={view} />;
  if (!isOpen(deal.status) || deal.frozen || deal.escalated) return null;
  const delivering = DELIVERING.includes(move);
  const late = delivering && Date.parse(deal.dueAt) <= now;
  if (nextAction === null || nextActionAt === null) return delivering ? <DueClock view={view} /> : null;
  if (delivering && !late && nextAction === 'refund') return <DueClock view={view} />;
  return (
    <>
      {late ? (
        <p className="mt-2 font-semibold">
          <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />
        </p>
      ) : null}
      <NextClock view={view} action={nextAction} at={nextActionAt} />
    </>
  );
}
