import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { Deal, DisputeTurn } from '@/api/contract';
import { Section } from '@/components/section';
import { Badge } from '@/components/ui/badge';
import { buttonVariants } from '@/components/ui/button';
import { holderOf } from '@/entities/deal/khata/holder';
import { Glyph } from '@/entities/deal/khata/strip';
import { disputeTurnOf, isOwnMove, nextOf, type Side, sellerIsGone, sideOf } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useMe } from '@/entities/user/queries';
import { pendingDepositsQuery, sumFor } from '@/entities/wallet/deposits';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { centsFromWire, count, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';

const DISPUTE = { decision: 'disputeDecision', offer: 'disputeOffer', answer: 'disputeAnswer' } as const;

type PendingAction =
  | (typeof DISPUTE)[DisputeTurn]
  | 'agree'
  | 'answer'
  | 'answerCounter'
  | 'deliverLate'
  | 'receive'
  | 'check'
  | 'leave'
  | 'leaveSuspended'
  | 'declined'
  | 'deliver'
  | 'pay'
  | 'payEarly';

const ORDER: readonly PendingAction[] = [
  'disputeDecision',
  'disputeOffer',
  'disputeAnswer',
  'answer',
  'deliverLate',
  'check',
  'receive',
  'leave',
  'leaveSuspended',
  'declined',
  'answerCounter',
  'agree',
  'deliver',
  'pay',
  'payEarly',
];

export function pendingActionOf(deal: Deal, userId: string, now: number): PendingAction | null {
  const side = sideOf(deal, userId);
  const turn = disputeTurnOf(deal, side);
  if (turn !== null) return DISPUTE[turn];
  const next = nextOf(deal, side, now);
  if (next === 'leave') return sellerIsGone(deal) ? 'leaveSuspended' : 'leave';
  if (next === 'waitDelivery' && deal.cancellationDeclined) return 'declined';
  if (next === 'deliver' && deal.status === 'Late') return 'deliverLate';
  if (next === 'waitAgree' && deal.status === 'Pending') return 'payEarly';
  return isOwnMove(next) ? next : null;
}

/** The deals that need the user, by urgency, then by due date. */
function pendingActions(deals: readonly Deal[], userId: string, now: number): { deal: Deal; wait: PendingAction }[] {
  return deals
    .flatMap((deal) => {
      const wait = pendingActionOf(deal, userId, now);
      return wait ? [{ deal, wait }] : [];
    })
    .sort((a, b) => ORDER.indexOf(a.wait) - ORDER.indexOf(b.wait) || a.deal.dueAt.localeCompare(b.deal.dueAt));
}

export function openAs(deals: readonly Deal[], side: Side, userId: string): Deal[] {
  return deals.filter((deal) => isOpen(deal.status) && deal[side]._id === userId);
}

const SHOWN = 3;

/** The consequence of doing nothing; "" if uncertain. */
function useOtherwise(deal: Deal, me: string): string {
  const t = useTexts(dashboard);
  if (deal.openDispute || deal.nextAction === null || deal.nextActionAt === null) return '';
  const params = { when: formatTime(deal.nextActionAt, 'moment'), buyer: deal.buyer.username, seller: deal.seller.username };
  if (deal.nextAction === 'refund' && deal.buyer._id === me) return t('else.refundYou', params);
  return t(`else.${deal.nextAction}`, params);
}

const placeOf = ({ _id, openDispute }: Deal, wait: PendingAction) =>
  openDispute && wait.startsWith('dispute')
    ? linkOptions({ to: '/disputes/$id', params: { id: openDispute._id } })
    : linkOptions({ to: '/deal/$dealId', params: { dealId: _id } });

function Line({ deal, wait }: { deal: Deal; wait: PendingAction }) {
  const t = useTexts(dashboard);
  const me = useMe();
  const titleOf = useDealTitle();
  const otherwise = useOtherwise(deal, me._id);
  const name = (deal.buyer._id === me._id ? deal.seller : deal.buyer).username;
  const when = formatTime(deal.dueAt, 'moment');
  const pays = usd(centsFromWire(deal.price));
  const gets = usd(centsFromWire(deal.payout));
  const texts: Record<PendingAction, [string, string]> = {
    agree: [
      t('waits.agree', { name, sum: pays }),
      t(deal.status === 'Pending' ? 'waits.agreeDetail' : 'waits.agreePaid', { sum: gets }),
    ],
    pay: [t('waits.pay', { sum: pays }), t('waits.payDetail', { name })],
    payEarly: [t('waits.payEarly', { sum: pays }), t('waits.payEarlyDetail', { name })],
    deliver: [t('waits.deliver', { name }), t('waits.deliverDetail', { sum: gets, when })],
    deliverLate: [t('waits.deliverLate', { name }), t('waits.deliverLateDetail', { sum: gets, when })],
    receive: [t('waits.receive', { name }), t('waits.checkDetail', { sum: pays })],
    check: [t('waits.check', { name }), t('waits.checkDetail', { sum: pays })],
    answer: [t('waits.answer', { name }), t('waits.answerDetail')],
    answerCounter: [t('waits.answerCounter', { name }), t('waits.answerCounterDetail')],
    leave: [t('waits.leave', { sum: pays }), t('waits.leaveDetail', { name, when })],
    leaveSuspended: [t('waits.leaveSuspended', { sum: pays }), t('waits.leaveSuspendedDetail', { name })],
    disputeDecision: [t('waits.disputeDecision'), t('waits.disputeDetail', { sum: pays })],
    disputeOffer: [t('waits.disputeOffer', { name }), t('waits.disputeDetail', { sum: pays })],
    disputeAnswer: [t('waits.disputeAnswer', { name }), t('waits.disputeDetail', { sum: pays })],
    declined: [t('waits.declined'), t('waits.declinedDetail', { sum: pays })],
  };
  const [what, detail] = texts[wait];
  return (
    <li>
      <Link
        {...placeOf(deal, wait)}
        className="flex min-h-16 items-center gap-4 border-b py-3 no-underline hover:bg-muted hover:text-inherit"
      >
        <Glyph holder={holderOf(deal.status)} />
        <span className="grid min-w-0 flex-1 gap-0.5">
          <b className="font-semibold">{what}</b>
          <span className="truncate text-sm text-muted-foreground">{titleOf(deal)}</span>
          <span className="text-sm text-muted-foreground">
            {detail} {otherwise}
          </span>
        </span>
        <ArrowRight aria-hidden="true" />
      </Link>
    </li>
  );
}

/**
 * Reports whether there is something to do yet: no payment while its money is being checked, and
 * none of an offer that is not accepted before the money is there.
 */
function useDue(): (deal: Deal, wait: PendingAction) => boolean {
  const { data: wallet } = useQuery(walletQuery);
  const { data: pending } = useQuery(pendingDepositsQuery);
  return ({ _id, price }, wait) => {
    if (wait !== 'pay' && wait !== 'payEarly') return true;
    if (!wallet || !pending) return wait === 'pay';
    const missing = centsFromWire(price) - centsFromWire(wallet.wallet);
    return missing <= 0 || (wait === 'pay' && missing > sumFor(_id, pending.deposits));
  };
}

/**
 * "Needs your action": what to do, for which deal, and the consequence of doing nothing. With
 * `unread` deals beyond those loaded, the number of actions is unknown.
 */
export function PendingActionsList({ deals, unread }: { deals: readonly Deal[]; unread: number }) {
  const t = useTexts(dashboard);
  const me = useMe();
  const now = useNow();
  const isDue = useDue();
  const lines = pendingActions(deals, me._id, now).filter(({ deal, wait }) => isDue(deal, wait));
  if (lines.length === 0) return null;
  return (
    <Section
      className="mb-10 wide:mb-14"
      title={t('waits.title')}
      aside={unread > 0 ? null : <Badge variant="count">{count(lines.length)}</Badge>}
    >
      <ul>
        {lines.slice(0, SHOWN).map(({ deal, wait }) => (
          <Line key={deal._id} deal={deal} wait={wait} />
        ))}
      </ul>
      {unread > 0 || lines.length > SHOWN ? (
        <Link to="/deal" className={buttonVariants({ variant: 'link' })}>
          {unread > 0 ? t('deals.all') : t('waits.more', { count: lines.length - SHOWN })}
        </Link>
      ) : null}
    </Section>
  );
}
