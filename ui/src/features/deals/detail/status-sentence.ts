import { heldSum, isCountered, isUnaccepted, refundOf, wasTakenBack } from '@/entities/deal/rules';
import { type Translate, translate, useTexts } from '@/i18n';
import { counteroffer, disputeBanner, trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';

export type Sentence = { lead: string; rest: string };
type T = Translate<typeof deals>;
type TTrouble = Translate<typeof trouble>;

function offer({ deal, side, mine, other, otherSuspended, price }: DealView, t: T, tTrouble: TTrouble): Sentence {
  const params = { name: other.username, sum: usd(price) };
  const open = isUnaccepted(deal);
  const rest = otherSuspended ? tTrouble('say.suspendedOffer', params) : null;
  if (isCountered(deal)) {
    const whose = deal.counterofferBy === deal[side]._id ? 'own' : 'theirs';
    return {
      lead: translate(counteroffer, `say.${whose}`, params),
      rest: rest ?? translate(counteroffer, `say.${whose}Next`, params),
    };
  }
  if (deal.terms > 1)
    return { lead: t('say.agreed', params), rest: rest ?? t(side === 'buyer' ? 'say.payToStart' : 'say.waitPay', params) };
  if (side === 'buyer') {
    if (mine) return { lead: t('say.youWanted', params), rest: rest ?? t(open ? 'say.waitAgree' : 'say.payToStart', params) };
    return { lead: t('say.offered', params), rest: rest ?? t('say.acceptOrDecline') };
  }
  return { lead: t(mine ? 'say.youOffered' : 'say.wanted', params), rest: rest ?? t(open ? 'say.agree' : 'say.waitPay') };
}

/** The next step in a disagreement or a suspension; null otherwise. */
function unsettled(
  { deal, side, other, leavable, sellerGone, otherSuspended, disputeId }: DealView,
  tTrouble: TTrouble,
): string | null {
  const buying = side === 'buyer';
  const params = { name: other.username, when: formatTime(deal.dueAt, 'moment') };
  if (leavable && sellerGone) return tTrouble('say.suspendedLeave', params);
  if (deal.suspended) return tTrouble(otherSuspended ? 'say.suspended' : 'say.suspendedYou', params);
  if (disputeId !== null) return translate(disputeBanner, 'text');
  if (deal.escalated) return tTrouble('say.escalated');
  if (leavable) return tTrouble('say.leave', params);
  if (deal.cancellationRequested) return tTrouble(buying ? 'say.requested' : 'say.answer', params);
  if (deal.frozen) return tTrouble('say.frozen');
  return wasTakenBack(deal) ? tTrouble(buying ? 'say.again' : 'say.againSeller', params) : null;
}

function expected({ deal, side, other, move }: DealView, t: T): string {
  const buying = side === 'buyer';
  const due = { name: other.username, when: formatTime(deal.dueAt, 'moment') };
  if (deal.status === 'Delivered') {
    const delivered = { name: other.username, when: formatTime(deal.deliveredAt ?? deal.dueAt, 'moment') };
    if (move === 'receive' || move === 'waitArrival') return t(`say.${move}`, delivered);
    return t(buying ? 'say.check' : 'say.waitCheck', delivered);
  }
  if (isUnaccepted(deal)) return t(buying ? 'say.waitAgreePaid' : 'say.agreePaid', due);
  if (deal.status === 'Late') return t(buying ? 'say.lateBuyer' : 'say.lateSeller', due);
  return t(buying ? 'say.waitDelivery' : 'say.deliver', due);
}

function held(view: DealView, t: T, tTrouble: TTrouble): Sentence {
  const lead = t(view.side === 'buyer' ? 'say.held' : 'say.heldForYou', { sum: usd(view.price) });
  return { lead, rest: unsettled(view, tTrouble) ?? expected(view, t) };
}

function inFlight({ deal, side, other, price }: DealView, t: T, tTrouble: TTrouble): Sentence {
  const params = { name: other.username, sum: usd(price) };
  const buying = side === 'buyer';
  const rest = t('say.byItself');
  switch (deal.operation?.kind) {
    case 'deal_pay':
      return { lead: t(buying ? 'say.processingPay' : 'say.processingPaySeller', params), rest };
    case 'deal_refund':
      return { lead: tTrouble(buying ? 'say.processingBack' : 'say.processingBackSeller', params), rest };
    case 'deal_settle':
      return { lead: tTrouble('say.processingSplit'), rest };
    default:
      return { lead: t(buying ? 'say.processingRelease' : 'say.processingReleaseSeller', params), rest };
  }
}

/** Names who released the money: the buyer, the clock or an admin. */
function completed({ deal, side, other, payout }: DealView, t: T, tTrouble: TTrouble): string {
  const params = { name: other.username, payout: usd(payout) };
  const buying = side === 'buyer';
  if (deal.closeReason === 'settled') {
    const back = refundOf(deal);
    if (back === 0) return tTrouble(buying ? 'say.settledBuyerNone' : 'say.settledSellerAll', params);
    return tTrouble(buying ? 'say.settledBuyer' : 'say.settledSeller', { ...params, back: usd(back) });
  }
  const kinds = deal.timeline.map(({ kind }) => kind);
  if (kinds.includes('line_clock_completed'))
    return tTrouble(buying ? 'say.clockCompletedBuyer' : 'say.clockCompletedSeller', params);
  if (kinds.includes('line_admin_completed'))
    return tTrouble(buying ? 'say.adminCompletedBuyer' : 'say.adminCompletedSeller', params);
  return t(buying ? 'say.doneBuyer' : 'say.doneSeller', params);
}

function cancelled(view: DealView, tTrouble: TTrouble): string {
  const { deal, side, other, price } = view;
  const back = heldSum(deal);
  const params = { name: other.username, back: usd(back), fee: usd(price - back) };
  const whole = side === 'buyer' ? ('say.backBuyer' as const) : ('say.backSeller' as const);
  const returned = tTrouble(price > back ? `${whole}Fee` : whole, params);
  const reason = deal.closeReason;
  if (reason === null || reason === 'completed') return returned;
  return `${tTrouble(`say.${reason}.${side}`, params)} ${returned}`;
}

function closed(view: DealView, t: T, tTrouble: TTrouble): Sentence {
  if (view.deal.status === 'Completed') return { lead: t('say.done'), rest: completed(view, t, tTrouble) };
  return { lead: t('say.cancelled'), rest: cancelled(view, tTrouble) };
}

/** Where the money is and what comes next. Without a clock, because changes are announced. */
export function useStatusSentence(view: DealView): Sentence {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  if (view.deal.operation) return inFlight(view, t, tTrouble);
  if (view.deal.status === 'Pending') return offer(view, t, tTrouble);
  return view.move === 'closed' ? closed(view, t, tTrouble) : held(view, t, tTrouble);
}
