import type { ReactNode } from 'react';
import type { TimelineEntry } from '@/api/contract';
import { Section } from '@/components/section';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { heldSum, isUnaccepted, refundOf, wasTakenBack } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { eventText } from '@/entities/deal/timeline';
import { type Translate, useTexts } from '@/i18n';
import { book } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { amount, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';

const STEP =
  'relative text-md text-muted-foreground before:absolute before:text-subtle-foreground after:absolute after:left-0 after:size-3 after:rounded-full after:border-2 after:border-subtle-foreground after:bg-background last:before:hidden max-xs:pb-4 max-xs:pl-7 max-xs:before:top-1.5 max-xs:before:-bottom-1.5 max-xs:before:left-1.25 max-xs:before:w-0.5 max-xs:before:bg-stitch-y max-xs:after:top-1.5 xs:pt-5.5 xs:pr-2.5 xs:before:inset-x-0 xs:before:top-1.25 xs:before:h-0.5 xs:before:bg-stitch-x xs:after:top-0';

const STATES = {
  done: 'after:border-foreground after:bg-foreground',
  next: 'font-semibold text-foreground after:border-foreground',
};

/** A step; its dot is filled once done, and the line to the next one is dashed. */
function Step({ state, text, children }: { state?: keyof typeof STATES | undefined; text: string; children: ReactNode }) {
  return (
    <li className={cn(STEP, state && STATES[state])} aria-current={state === 'next' ? 'step' : undefined}>
      {text}
      <small className="block text-caption font-normal text-muted-foreground">{children}</small>
    </li>
  );
}

export function UpcomingSteps({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, side, other } = view;
  const buying = side === 'buyer';
  const name = other.username;
  const waits = isUnaccepted(deal);
  return (
    <Section title={buying ? t('after.you') : t('after.other', { name })}>
      <ol className="grid xs:auto-cols-fr xs:grid-flow-col">
        <Step state="done" text={t('after.offered')}>
          {formatTime(deal.createdAt, 'moment')}
        </Step>
        {waits ? (
          <Step state="next" text={t('after.accepted')}>
            {buying ? t('after.acceptedBuyer', { name }) : t('after.acceptedSeller')}
          </Step>
        ) : null}
        <Step state={waits ? undefined : 'next'} text={t('after.paid')}>
          {buying ? t('after.paidBuyer', { name }) : t('after.paidSeller')}
        </Step>
        <Step text={t('after.delivered')}>{t('after.by', { when: formatTime(deal.dueAt, 'moment') })}</Step>
        <Step text={t('after.completed')}>
          {buying ? t('after.completedBuyer') : t('after.completedSeller', { name })},{' '}
          {t('after.orDays', { count: deal.inspectionDays })}
        </Step>
      </ol>
    </Section>
  );
}

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

function agree({ side, other, price }: DealView, t: T): Future {
  return {
    key: 'agree',
    what: side === 'seller' ? t('youAgree') : t('agrees', { name: other.username }),
    detail: t('ifDeclined'),
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
  if (isUnaccepted(deal)) return [agree(view, t), deliver(view, t), release(view, t)];
  return deal.status === 'Delivered' ? [release(view, t)] : [deliver(view, t), release(view, t)];
}

function futureLines(view: DealView, t: T): LedgerLine[] {
  if (!isOpen(view.deal.status)) return [];
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
    case 'line_created':
      // After a counter-offer, the original terms are unknown.
      if (deal.terms > 1) return undefined;
      return `${t('days', { count: deal.deliveryDuration })}, ${t('check', { count: deal.inspectionDays })}`;
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

function picturesOf({ pictures, actor }: TimelineEntry, { deal, side }: DealView): Pick<Line, 'pictures'> {
  if (pictures.length === 0) return {};
  const from = actor?._id === deal[side]._id ? null : (actor?.username ?? '');
  return { pictures: <DealPictures pictures={pictures} from={from} className="mt-2" /> };
}

/** The server's text of these events contains the sums. */
const isCounteroffer = (kind: string): boolean => kind.startsWith('line_counteroffer');

/** No holder before the price was agreed on. Unknown kinds have the server's text. */
function happened(view: DealView, t: T): Line[] {
  let holds: Holds = { holder: 'buyer', sum: amount(view.price) };
  const { buyer, seller, timeline, terms } = view.deal;
  const agreed = terms > 1 ? timeline.findLastIndex(({ kind }) => kind === 'line_counteroffer_accepted') : 0;
  return timeline.map((entry, index) => {
    const what = eventText(entry, [buyer, seller], t, view.deal[view.side]._id);
    holds = movedTo(entry.kind, view) ?? holds;
    const said = { ...(entry.note ? { note: entry.note } : {}), ...picturesOf(entry, view) };
    if (index < agreed) return { what: what ?? entry.message, ...said };
    if (isCounteroffer(entry.kind)) return { what: entry.message, holds, ...said };
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
    <Section title={t('title')}>
      <LedgerLines label={t('label')} lines={[...past, ...futureLines(view, t)]} />
    </Section>
  );
}
