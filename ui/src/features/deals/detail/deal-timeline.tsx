import { Fold } from '@/components/fold';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { heldSum, isCountered, isUnaccepted, refundOf, wasTakenBack } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { eventText } from '@/entities/deal/timeline';
import { type Translate, useTexts } from '@/i18n';
import { book } from '@/i18n/en/deal-page';
import { amount, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';
import { EntryPictures } from './deal-words';

type T = Translate<typeof book>;
type Future = Omit<LedgerLine, 'when' | 'future'>;

/** "By itself on 26 Nov, 15:52", while the clock runs. */
function bySelf({ deal }: DealView, t: T): string | null {
  return deal.nextActionAt === null ? null : t('bySelf', { when: formatTime(deal.nextActionAt, 'moment') });
}

function release(view: DealView, t: T): Future {
  const alone = view.deal.status === 'Delivered' ? bySelf(view, t) : null;
  return {
    key: 'release',
    what: view.side === 'buyer' ? t('youRelease') : t('releases', { name: view.other.username }),
    detail: alone ?? t('lessFee'),
    holds: { holder: 'seller', sum: amount(view.payout) },
  };
}

function deliver({ deal, side, other, price }: DealView, t: T): Future {
  return {
    key: 'deliver',
    what: side === 'buyer' ? t('delivers', { name: other.username }) : t('youDeliver'),
    ...(wasTakenBack(deal) ? {} : { detail: t('by', { when: formatTime(deal.dueAt, 'moment') }) }),
    holds: { holder: 'amanat', sum: amount(price) },
  };
}

function agree({ deal, side, other, price }: DealView, t: T): Future {
  const paid = isOpen(deal.status);
  return {
    key: 'agree',
    what: side === 'seller' ? t('youAgree') : t('agrees', { name: other.username }),
    ...(paid ? { detail: t('ifDeclined') } : {}),
    holds: { holder: paid ? 'amanat' : 'buyer', sum: amount(price) },
  };
}

function pay({ side, other, price }: DealView, t: T): Future {
  return {
    key: 'pay',
    what: side === 'buyer' ? t('youPay') : t('pays', { name: other.username }),
    holds: { holder: 'amanat', sum: amount(price) },
  };
}

function answer(view: DealView, t: T): Future {
  const alone = view.deal.nextAction === 'refund_unanswered' ? bySelf(view, t) : null;
  const back = t(view.back < view.price ? 'ifAccepted' : 'ifAcceptedWhole');
  return {
    key: 'answer',
    what: view.side === 'seller' ? t('youAnswer') : t('answers', { name: view.other.username }),
    detail: alone ? `${back}. ${alone}` : back,
    holds: { holder: 'buyer', sum: amount(view.back) },
  };
}

function steps(view: DealView, t: T): Future[] {
  const { deal } = view;
  if (view.disputeId !== null && !deal.suspended)
    return [{ key: 'dispute', what: t('disputeEnds'), holds: { holder: 'amanat', sum: amount(view.price) } }];
  if (deal.escalated || deal.suspended)
    return [{ key: 'admin', what: t('adminDecides'), holds: { holder: 'amanat', sum: amount(view.price) } }];
  if (deal.cancellationRequested) return [answer(view, t)];
  if (deal.status === 'Delivered') return [release(view, t)];
  return [
    ...(isUnaccepted(deal) ? [agree(view, t)] : []),
    ...(deal.status === 'Pending' ? [pay(view, t)] : []),
    deliver(view, t),
    release(view, t),
  ];
}

function futureLines(view: DealView, t: T): LedgerLine[] {
  if (view.move === 'closed' || view.move === 'blocked' || isCountered(view.deal)) return [];
  return steps(view, t).map((step, index) => ({ ...step, when: t(index === 0 ? 'next' : 'then'), future: true }));
}

type Line = Omit<LedgerLine, 'key' | 'when'>;
type Holds = NonNullable<LedgerLine['holds']>;

/** The holder of the money from this event on; undefined if it does not move. */
function movedTo(kind: string, { deal, price, payout }: DealView): Holds | undefined {
  switch (kind) {
    case 'line_paid':
      return { holder: 'amanat', sum: amount(price) };
    case 'line_dispute_settled':
      // A divided price is shown in the column of who got it at the end.
      return deal.status === 'Completed'
        ? { holder: 'seller', sum: amount(payout) }
        : { holder: 'buyer', sum: amount(heldSum(deal)) };
    case 'line_completed':
    case 'line_admin_completed':
    case 'line_clock_completed':
      return { holder: 'seller', sum: amount(payout) };
    case 'line_cancel_accepted':
    case 'line_unanswered':
    case 'line_seller_cancelled':
    case 'line_declined':
    case 'line_buyer_left':
    case 'line_overdue':
    case 'line_seller_disabled':
    case 'line_admin_cancelled':
      return { holder: 'buyer', sum: amount(heldSum(deal)) };
    default:
      return undefined;
  }
}

function detailOf(kind: string, view: DealView, t: T): string | undefined {
  const { deal, price } = view;
  switch (kind) {
    case 'line_reset':
      return t('takenBack');
    case 'line_dispute_settled':
      return t('settled', { buyer: usd(refundOf(deal)), seller: usd(view.payout) });
    case 'line_support':
    case 'line_disputed':
      return deal.frozen ? t('stopped') : undefined;
    case 'line_suspended':
      return deal.suspended ? t('adminDecides') : undefined;
    case 'line_support_again':
    case 'line_support_closed':
    case 'line_dispute_closed':
      return t('goesOn');
    default: {
      const moved = movedTo(kind, view);
      if (moved === undefined || moved.holder === 'amanat') return undefined;
      return t(moved.holder === 'seller' || heldSum(deal) < price ? 'lessFee' : 'noFee');
    }
  }
}

function feeWith(kind: string, view: DealView, t: T): string | undefined {
  const moved = movedTo(kind, view);
  if (moved === undefined || moved.holder === 'amanat') return undefined;
  if (kind === 'line_dispute_settled') return view.fee > 0 ? t('fee', { fee: amount(view.fee) }) : undefined;
  const kept = view.price - (moved.holder === 'seller' ? view.payout : heldSum(view.deal));
  return kept > 0 ? t('fee', { fee: amount(kept) }) : undefined;
}

/** The server's text of these events contains the sums, or the courier. */
const hasServersText = (kind: string): boolean => kind.startsWith('line_counteroffer') || kind === 'line_shipped';

/** No holder before the price was agreed on. Unknown kinds have the server's text. */
function happened(view: DealView, t: T): Line[] {
  let holds: Holds = { holder: 'buyer', sum: amount(view.price) };
  const { buyer, seller, timeline, terms } = view.deal;
  const agreed = terms > 1 ? timeline.findLastIndex(({ kind }) => kind === 'line_counteroffer_accepted') : 0;
  return timeline.map((entry, index) => {
    const what = eventText(entry, [buyer, seller], t, view.deal[view.side]._id);
    holds = movedTo(entry.kind, view) ?? holds;
    const said = {
      ...(entry.note ? { note: entry.note } : {}),
      pictures: <EntryPictures entry={entry} view={view} className="mt-2" />,
    };
    if (index < agreed) return { what: what ?? entry.message, ...said };
    if (hasServersText(entry.kind)) return { what: entry.message, holds, ...said };
    if (what === null) return { what: entry.message, ...said };
    const detail = detailOf(entry.kind, view, t);
    const fee = feeWith(entry.kind, view, t);
    return { what, holds, ...said, ...(detail ? { detail } : {}), ...(fee ? { fee } : {}) };
  });
}

export function DealTimeline({ view }: { view: DealView }) {
  const t = useTexts(book);
  const lines = happened(view, t);
  const past = view.deal.timeline.flatMap(({ _id, at }, index) => {
    const line = lines[index];
    const when = (
      <time key={_id} dateTime={at}>
        {formatTime(at, 'moment')}
      </time>
    );
    return line ? [{ key: _id, when, ...line }] : [];
  });
  return (
    <Fold title={t('title')} count={past.length}>
      <LedgerLines label={t('label')} lines={[...past, ...futureLines(view, t)]} />
    </Fold>
  );
}
