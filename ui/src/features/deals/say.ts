import type { Operation } from '@/api/contract';
import { type Translate, useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from './deal';

export type Sentence = { lead: string; rest: string };
type T = Translate<typeof deals>;

function offer({ side, mine, other, price }: DealView, t: T): Sentence {
  const params = { name: other.username, sum: usd(price) };
  if (side === 'buyer') {
    if (mine) return { lead: t('say.youWanted', params), rest: t('say.payToStart', params) };
    return { lead: t('say.offered', params), rest: t('say.acceptOrDecline') };
  }
  return { lead: t(mine ? 'say.youOffered' : 'say.wanted', params), rest: t('say.waitPay') };
}

function held({ deal, side, other, price }: DealView, t: T): Sentence {
  const buying = side === 'buyer';
  const due = { name: other.username, when: formatTime(deal.dueAt, 'moment') };
  const lead = t(buying ? 'say.held' : 'say.heldForYou', { sum: usd(price) });
  if (deal.status === 'Delivered') {
    const delivered = { name: other.username, when: formatTime(deal.deliveredAt ?? deal.dueAt, 'moment') };
    return { lead, rest: t(buying ? 'say.check' : 'say.waitCheck', delivered) };
  }
  if (deal.status === 'Late') return { lead, rest: t(buying ? 'say.lateBuyer' : 'say.lateSeller', due) };
  return { lead, rest: t(buying ? 'say.waitDelivery' : 'say.deliver', due) };
}

function inFlight({ deal, side, other, price }: DealView, t: T): Sentence {
  const params = { name: other.username, sum: usd(price) };
  const buying = side === 'buyer';
  const rest = t('say.byItself');
  if (deal.status === 'Pending') return { lead: t(buying ? 'say.processingPay' : 'say.processingPaySeller', params), rest };
  return { lead: t(buying ? 'say.processingRelease' : 'say.processingReleaseSeller', params), rest };
}

function closed({ deal, side, other, payout }: DealView, t: T): Sentence {
  const params = { name: other.username, payout: usd(payout) };
  const buying = side === 'buyer';
  if (deal.status === 'Completed') return { lead: t('say.done'), rest: t(buying ? 'say.doneBuyer' : 'say.doneSeller', params) };
  return { lead: t('say.cancelled'), rest: buying ? t('say.cancelledBuyer') : t('say.cancelledSeller', params) };
}

/** Where the money is and what is expected now, in plain words. No clock in it: it is read out whenever it changes. */
export function useSentence(view: DealView): Sentence {
  const t = useTexts(deals);
  const operation: Operation | undefined = view.deal.operation;
  if (operation) return inFlight(view, t);
  if (view.deal.status === 'Pending') return offer(view, t);
  return view.move === 'closed' ? closed(view, t) : held(view, t);
}
