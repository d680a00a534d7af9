import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useRef } from 'react';
import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { type Checked, useCheckedFor, useWaitText } from '@/entities/wallet/deposits';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { checking, balance as words } from '@/i18n/en/balance';
import { deals } from '@/i18n/en/deals';
import { depositFollow } from '@/i18n/en/deposit';
import { cn } from '@/lib/cn';
import { type Cents, centsFromWire, centsToWire, usd } from '@/lib/money';
import { serverNow } from '@/lib/server-clock';
import { ProposeButton } from '../counteroffer/counteroffer-card';
import type { DealView } from '../deal-view';
import { LimitNote } from '../failures';
import type { DealActions } from './use-deal-actions';
import { ActionButton, ButtonStack } from './use-deal-actions';

type Funds =
  | { state: 'loading' | 'failed' }
  | {
      state: 'known';
      now: Cents;
      after: Cents;
      /** What neither the balance nor the deposits being checked cover. */
      missing: Cents;
      /** Deposits being checked, of which the balance needs some. */
      checked: Checked | null;
    };

/** The balance before and after paying the deal, with the deposits that may pay it. */
export function useFunds({ deal, price }: DealView): Funds {
  const { data, isError } = useQuery(walletQuery);
  const pending = useCheckedFor(deal._id);
  if (!data) return { state: isError ? 'failed' : 'loading' };
  const now = centsFromWire(data.wallet);
  const enough = now >= price;
  if (!enough && pending === undefined) return { state: 'loading' };
  const checked = enough ? null : (pending ?? null);
  return { state: 'known', now, after: now - price, missing: Math.max(0, price - now - (checked?.sum ?? 0)), checked };
}

/** The buyer has sent all that the deal takes, and nothing is left to do. */
export function isChecked(funds: Funds): funds is Funds & { checked: Checked } {
  return funds.state === 'known' && funds.checked !== null && funds.missing === 0;
}

function PaySums({ funds, price }: { funds: Funds; price: Cents }) {
  const t = useTexts(deals);
  const tBalance = useTexts(words);
  if (funds.state !== 'known') {
    if (funds.state === 'failed') return <p className="text-sm text-muted-foreground">{tBalance('failed')}</p>;
    return <Skeleton className="mt-2 h-30" />;
  }
  const { now, after, missing, checked } = funds;
  return (
    <div className="mt-2">
      <Facts
        rows={[
          [t('move.balance'), usd(now)],
          ...(checked ? [[t('move.checking'), usd(checked.sum)] as const] : []),
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
            : [t('move.after'), usd(after + (checked?.sum ?? 0))]
        }
      />
    </div>
  );
}

type DepositLinkProps = { missing: Cents; view: DealView; inBar?: boolean } & Pick<ComponentProps<typeof Button>, 'className'>;

/** With `inBar`, a phone has it in the bar alone. */
export function DepositLink({ missing, view, inBar = false, className }: DepositLinkProps) {
  const t = useTexts(deals);
  return (
    <Button data-in-bar={inBar || undefined} className={cn(inBar && 'max-lg:hidden', className)} asChild>
      <Link
        to="/deposit"
        search={{ amount: centsToWire(missing), deal: view.deal._id }}
        state={{ fromDeal: { terms: view.deal.terms, at: serverNow() } }}
      >
        {t('act.deposit', { sum: usd(missing) })}
      </Link>
    </Button>
  );
}

/** "$130.00 is being checked", and for how long. */
function CheckedNote({ checked }: { checked: Checked }) {
  const t = useTexts(checking);
  const tFollow = useTexts(depositFollow);
  const waitText = useWaitText();
  return (
    <Note kind="wait" className="mt-4">
      <p className="font-semibold">{t('is', { sum: usd(checked.sum) })}</p>
      <p>
        {waitText(checked.wait, checked.deposit)} {checked.deposit.paysDeal ? tFollow('forDeal.paid') : null}{' '}
        <Link to="/balance/deposits/$depositId" params={{ depositId: checked.deposit._id }}>
          {tFollow('follow')}
        </Link>
      </p>
    </Note>
  );
}

/**
 * Pays with one press. It takes none in the second after it has appeared, or other terms have: the
 * page has moved, and the press may have been meant for what was there before.
 */
export function PayButton({ className, ...props }: Omit<ComponentProps<typeof ActionButton>, 'action' | 'variant'>) {
  return (
    <ActionButton
      {...props}
      key={props.view.deal.terms}
      action="pay"
      variant="seal"
      className={cn('animate-settle', className)}
    />
  );
}

type PayPanelProps = { view: DealView; actions: DealActions };

/** The buyer pays or declines. With too little money, the deposit comes first. */
export function PayPanel({ view, actions }: PayPanelProps) {
  const t = useTexts(deals);
  const funds = useFunds(view);
  const known = funds.state === 'known' && !actions.anyBusy ? funds : null;
  const missing = known?.missing ?? 0;
  const checked = known?.checked ?? null;
  const short = missing > 0;
  const limit = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (actions.limit) limit.current?.scrollIntoView({ block: 'center' });
  }, [actions.limit]);
  return (
    <div aria-live="polite">
      {checked ? <CheckedNote checked={checked} /> : null}
      {checked && !short ? null : <PaySums funds={funds} price={view.price} />}
      <div ref={limit}>
        <LimitNote error={actions.limit} className="mt-4" />
      </div>
      <ButtonStack>
        {short ? <DepositLink missing={missing} view={view} inBar className="w-full" /> : null}
        {short || checked ? null : <PayButton primary view={view} actions={actions} className="w-full" />}
        <ProposeButton view={view} actions={actions} />
        <ActionButton action="remove" variant={short ? 'ghost' : 'outline'} view={view} actions={actions} className="w-full" />
      </ButtonStack>
      {short || checked ? null : (
        <p className="text-sm text-muted-foreground">{t('move.payHelp', { name: view.other.username })}</p>
      )}
    </div>
  );
}
