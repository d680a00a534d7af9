import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { type Cents, centsToWire, usd } from '@/lib/money';
import { ProposeButton } from '../counteroffer/counteroffer-buttons';
import type { DealView } from '../deal-view';
import { ActionButton } from './action-button';
import { ButtonStack } from './button-stack';
import { type BalanceAfter, useBalanceAfter } from './use-balance-after';
import type { DealActions } from './use-deal-actions';

export function PaySums({ balance, price, className }: { balance: BalanceAfter; price: Cents; className: string }) {
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

type Props = {
  view: DealView;
  actions: DealActions;
  /** The seller has not accepted yet: paying is possible but does not stand out. */
  early?: boolean;
};

/** The buyer pays or declines. With too little money, the deposit comes first. */
export function PayPanel({ view, actions, early = false }: Props) {
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
