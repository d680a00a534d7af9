import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type Ref, useId } from 'react';
import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { isOwnTurn, wasTakenBack } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { disputeBanner, trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { type Cents, centsFromWire, centsToWire, usd } from '@/lib/money';
import { CounterofferPanel, ProposeButton } from '../counteroffer/counteroffer-card';
import type { DealView } from '../deal-view';
import { DisputeBanner, FormerDispute } from '../dispute/dispute-banner';
import { TroubleButton } from '../trouble/trouble-button';
import { ClosedPanel } from './closed-panel';
import { Deadline, Expiry } from './deadline';
import type { DealActions } from './use-deal-actions';
import { ActionButton, ButtonStack } from './use-deal-actions';

type BalanceAfter = { state: 'loading' | 'failed' } | { state: 'known'; now: Cents; after: Cents; missing: Cents };

/** The balance after paying `price`; `missing` is positive if it is too low. */
export function useBalanceAfter(price: Cents): BalanceAfter {
  const { data, isError } = useQuery(walletQuery);
  if (!data) return { state: isError ? 'failed' : 'loading' };
  const now = centsFromWire(data.wallet);
  return { state: 'known', now, after: now - price, missing: Math.max(0, price - now) };
}

export function PaySums({ balance, price, className }: { balance: BalanceAfter; price: Cents; className?: string }) {
  const t = useTexts(deals);
  const tBalance = useTexts(words);
  if (balance.state !== 'known') {
    if (balance.state === 'failed') return <p className="text-sm text-muted-foreground">{tBalance('failed')}</p>;
    return <Skeleton className={cn('h-30', className)} />;
  }
  const { now, after, missing } = balance;
  return (
    <div className={className}>
      <Facts
        rows={[
          [t('move.balance'), usd(now)],
          [t('move.payIn'), usd(-price)],
        ]}
        total={
          missing > 0
            ? [
                t('move.missing'),
                <span key="missing" className="text-destructive">
                  {usd(missing)}
                </span>,
              ]
            : [t('move.after'), usd(after)]
        }
      />
    </div>
  );
}

type DepositLinkProps = { missing: Cents; view: DealView } & Pick<ComponentProps<typeof Button>, 'className'>;

export function DepositLink({ missing, view, className }: DepositLinkProps) {
  const t = useTexts(deals);
  return (
    <Button className={className} asChild>
      <Link to="/deposit" search={{ amount: centsToWire(missing), deal: view.deal._id }}>
        {t('act.deposit', { sum: usd(missing) })}
      </Link>
    </Button>
  );
}

type PayPanelProps = {
  view: DealView;
  actions: DealActions;
  /** The seller has not accepted yet: paying is possible but does not stand out. */
  early?: boolean;
};

/** The buyer pays or declines. With too little money, the deposit comes first. */
function PayPanel({ view, actions, early = false }: PayPanelProps) {
  const t = useTexts(deals);
  const balance = useBalanceAfter(view.price);
  const short = balance.state === 'known' && balance.missing > 0 && !actions.anyBusy;
  return (
    <>
      <PaySums balance={balance} price={view.price} className="mt-2" />
      <ButtonStack>
        {short ? <DepositLink missing={balance.missing} view={view} className="w-full" /> : null}
        <ActionButton
          action="pay"
          variant={short || early ? 'outline' : 'seal'}
          primary={!short && !early}
          view={view}
          actions={actions}
          className="w-full"
        />
        <ProposeButton view={view} actions={actions} />
        <ActionButton action="remove" variant={short ? 'ghost' : 'outline'} view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">
        {short
          ? t('move.short', { sum: usd(balance.missing) })
          : t(early ? 'move.payEarly' : 'move.payHelp', { name: view.other.username })}
      </p>
    </>
  );
}

type Props = { view: DealView; actions: DealActions };

/** The seller accepts or declines. Delivering a paid deal accepts it, too. */
function AcceptPanel({ view, actions }: Props) {
  const t = useTexts(deals);
  const paid = isOpen(view.deal.status);
  const params = { name: view.other.username, sum: usd(view.price) };
  return (
    <>
      <ButtonStack>
        <ActionButton action="agree" primary view={view} actions={actions} className="w-full" />
        {paid ? <ActionButton action="deliver" variant="outline" view={view} actions={actions} className="w-full" /> : null}
        <ProposeButton view={view} actions={actions} />
        <ActionButton action={paid ? 'giveBack' : 'remove'} variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{t(paid ? 'move.agreePaid' : 'move.agree', params)}</p>
    </>
  );
}

/** The buyer waits for the seller, and may pay before. */
function AwaitAcceptPanel({ view, actions }: Props) {
  const t = useTexts(deals);
  return (
    <>
      <Note kind="wait" className="mt-4">
        {t('move.waitAgree', { name: view.other.username })}
      </Note>
      <PayPanel view={view} actions={actions} early />
    </>
  );
}

function Answer({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <>
      <p className="text-muted-foreground">{t('move.answer', { name: view.other.username, back: usd(view.back) })}</p>
      <ButtonStack>
        <ActionButton action="accept" primary view={view} actions={actions} className="w-full" />
        <ActionButton action="refuse" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

/** The buyer waits. They can release at any time, and leave a late deal. */
function Waiting({ view, actions }: Props) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const tDisputeBanner = useTexts(disputeBanner);
  const name = view.other.username;
  const text = () => {
    if (view.disputeId !== null && !view.leavable) return tDisputeBanner('releaseText');
    if (view.leavable) return tTrouble(view.sellerGone ? 'move.leaveSuspended' : 'move.leave', { name, sum: usd(view.price) });
    if (view.move === 'waitAgree') return t('move.waitAgreePaid', { name, sum: usd(view.price) });
    if (view.move === 'waitAnswer') return tTrouble('move.waitAnswer', { name, back: usd(view.back) });
    return wasTakenBack(view.deal) ? tTrouble('move.again', { name }) : t('move.waitDelivery', { name });
  };
  return (
    <>
      <ButtonStack>
        {view.leavable ? <ActionButton action="leave" view={view} actions={actions} className="w-full" /> : null}
        <ActionButton action="release" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{text()}</p>
    </>
  );
}

/** During a dispute, the release does not stand out. */
function Disputed({ view, actions }: Props) {
  const t = useTexts(disputeBanner);
  return (
    <>
      <ButtonStack>
        <ActionButton action="release" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{t('releaseText')}</p>
    </>
  );
}

/** Nobody could deliver after a payment. */
function NotPayable({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <>
      <Note kind="wait" className="mt-4">
        {t('move.notPayable', { name: view.other.username })}
      </Note>
      <ButtonStack>
        <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

function Body({ view, actions, onReview }: Props & { onReview: () => void }) {
  const t = useTexts(deals);
  const name = view.other.username;
  const pending = view.deal.status === 'Pending';
  switch (view.move) {
    case 'agree':
      return <AcceptPanel view={view} actions={actions} />;
    case 'waitAgree':
      return pending ? <AwaitAcceptPanel view={view} actions={actions} /> : <Waiting view={view} actions={actions} />;
    case 'pay':
      return <PayPanel view={view} actions={actions} />;
    case 'blocked':
      return <NotPayable view={view} actions={actions} />;
    case 'waitPay':
      return (
        <>
          <p className="text-muted-foreground">{t('move.waitPay', { name })}</p>
          <ButtonStack>
            <ProposeButton view={view} actions={actions} />
            <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
          </ButtonStack>
        </>
      );
    case 'answerCounter':
    case 'waitCounter':
      return <CounterofferPanel view={view} actions={actions} />;
    case 'deliver':
      return (
        <>
          <ButtonStack>
            <ActionButton action="deliver" primary view={view} actions={actions} className="w-full" />
          </ButtonStack>
          <p className="text-sm text-muted-foreground">{t('move.deliver', { name })}</p>
        </>
      );
    case 'answer':
      if (view.ruled) return null;
      return <Answer view={view} actions={actions} />;
    case 'waitDelivery':
    case 'waitAnswer':
      return <Waiting view={view} actions={actions} />;
    case 'check':
      if (view.disputeId !== null) return <Disputed view={view} actions={actions} />;
      return (
        <>
          <p className="text-muted-foreground">{t('move.check')}</p>
          <ButtonStack>
            <ActionButton action="release" variant="seal" primary view={view} actions={actions} className="w-full" />
          </ButtonStack>
        </>
      );
    case 'waitCheck':
      return <p className="text-muted-foreground">{t('move.waitCheck', { name, payout: usd(view.payout) })}</p>;
    case 'closed':
      return <ClosedPanel view={view} onReview={onReview} />;
  }
}

function Declined({ view: { deal, side } }: { view: DealView }) {
  const t = useTexts(trouble);
  if (side === 'seller' || !isOpen(deal.status) || !deal.cancellationDeclined) return null;
  return (
    <Note kind="info" className="mt-4">
      {t('declined')}
    </Note>
  );
}

/** "Your move": what the reader can do now. One action stands out; on a phone it is in the bar. */
export function ActionPanel({
  view,
  actions,
  onReview,
  headingRef,
}: Props & { onReview: () => void; headingRef: Ref<HTMLHeadingElement> }) {
  const t = useTexts(deals);
  const tDisputeBanner = useTexts(disputeBanner);
  const id = useId();
  const { dispute } = view.deal;
  const title = () => {
    if (view.move === 'closed') return t('move.done');
    if (view.disputeId !== null) return tDisputeBanner('title');
    if (view.next === 'blocked' || view.next === 'held') return t('move.held');
    return isOwnTurn(view.next) ? t('move.yours') : t('move.theirs', { name: view.other.username });
  };
  return (
    <section
      className="min-w-0 border-t-2 border-foreground pt-3 max-lg:-order-1 [&>[data-slot=clock]+p]:mt-3 [&>[data-slot=move-buttons]+[data-slot=trouble]]:mt-2 [&>h2+p]:mt-2"
      aria-labelledby={id}
    >
      <h2 className="font-display text-display-sm focus:outline-none" id={id} ref={headingRef} tabIndex={-1}>
        {title()}
      </h2>
      {view.deal.operation && view.side === 'seller' ? (
        <Note kind="wait" className="mt-4">
          {t('move.processing')}
        </Note>
      ) : null}
      {view.disputeId === null ? null : <DisputeBanner id={view.disputeId} />}
      <Declined view={view} />
      <Deadline view={view} />
      <Body view={view} actions={actions} onReview={onReview} />
      {dispute && view.disputeId === null ? <FormerDispute id={dispute._id} /> : null}
      <Expiry view={view} />
      <TroubleButton view={view} actions={actions} />
    </section>
  );
}
