import type { LedgerLine } from '@/entities/deal/khata/ledger';
import { isUnaccepted, wasTakenBack } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import type { Translate } from '@/i18n';
import type { book } from '@/i18n/en/book';
import { amount } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';

type T = Translate<typeof book>;
type Step = Omit<LedgerLine, 'when' | 'future'>;

/** "By itself on 26 Nov, 15:52", while the clock runs. */
function bySelf({ deal }: DealView, t: T): string | null {
  return deal.nextActionAt === null ? null : t('bySelf', { when: formatTime(deal.nextActionAt, 'moment') });
}

function release(view: DealView, t: T): Step {
  const alone = view.deal.status === 'Delivered' ? bySelf(view, t) : null;
  return {
    key: 'release',
    what: view.side === 'buyer' ? t('youRelease') : t('releases', { name: view.other.username }),
    detail: alone ?? t('lessFee'),
    holds: { holder: 'seller', sum: amount(view.payout) },
  };
}

function deliver({ deal, side, other, price }: DealView, t: T): Step {
  return {
    key: 'deliver',
    what: side === 'buyer' ? t('delivers', { name: other.username }) : t('youDeliver'),
    ...(wasTakenBack(deal) ? {} : { detail: t('by', { when: formatTime(deal.dueAt, 'moment') }) }),
    holds: { holder: 'amanat', sum: amount(price) },
  };
}

function agree({ side, other, price }: DealView, t: T): Step {
  return {
    key: 'agree',
    what: side === 'seller' ? t('youAgree') : t('agrees', { name: other.username }),
    detail: t('ifDeclined'),
    holds: { holder: 'amanat', sum: amount(price) },
  };
}

function answer(view: DealView, t: T): Step {
  const alone = view.deal.nextAction === 'refund_unanswered' ? bySelf(view, t) : null;
  const back = t(view.back < view.price ? 'ifAccepted' : 'ifAcceptedWhole');
  return {
    key: 'answer',
    what: view.side === 'seller' ? t('youAnswer') : t('answers', { name: view.other.username }),
    detail: alone ? `${back}. ${alone}` : back,
    holds: { holder: 'buyer', sum: amount(view.back) },
  };
}

function steps(view: DealView, t: T): Step[] {
  const { deal } = view;
  if (view.disputeId !== null && !deal.suspended)
    return [{ key: 'dispute', what: t('disputeEnds'), holds: { holder: 'amanat', sum: amount(view.price) } }];
  if (deal.escalated || deal.suspended)
    return [{ key: 'admin', what: t('adminDecides'), holds: { holder: 'amanat', sum: amount(view.price) } }];
  if (deal.cancellationRequested) return [answer(view, t)];
  if (isUnaccepted(deal)) return [agree(view, t), deliver(view, t), release(view, t)];
  return deal.status === 'Delivered' ? [release(view, t)] : [deliver(view, t), release(view, t)];
}

export function futureLines(view: DealView, t: T): LedgerLine[] {
  if (!isOpen(view.deal.status)) return [];
  return steps(view, t).map((step, index) => ({ ...step, when: t(index === 0 ? 'next' : 'then'), future: true }));
}
