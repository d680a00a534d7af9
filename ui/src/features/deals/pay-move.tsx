import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Facts } from '@/components/khata/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { type Cents, usd } from '@/lib/money';
import { ActionButton } from './action-button';
import type { DealActions } from './actions';
import { type Balance, useBalance } from './balance';
import type { DealView } from './deal';
import { MoveButtons } from './move-buttons';

/** Balance, payment, and what is left or missing. */
export function PaySums({ balance, price, className }: { balance: Balance; price: Cents; className: string }) {
  const t = useTexts(deals);
  const b = useTexts(words);
  if (balance.state !== 'known') {
    if (balance.state === 'failed') return <p className="text-sm text-muted-foreground">{b('failed')}</p>;
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

/** The way to the money that is missing. */
export function DepositLink({ missing, className }: { missing: Cents } & Pick<ComponentProps<typeof Button>, 'className'>) {
  const t = useTexts(deals);
  return (
    <Button className={className} asChild>
      <Link to="/deposit">{t('act.deposit', { sum: usd(missing) })}</Link>
    </Button>
  );
}

type Props = {
  view: DealView;
  actions: DealActions;
  /** The seller has yet to accept: paying is possible and does not stand out. */
  early?: boolean;
};

/** The buyer's move on an offer: pay, with the balance before and after, or say no. With too little money the deposit comes first. */
export function PayMove({ view, actions, early = false }: Props) {
  const t = useTexts(deals);
  const balance = useBalance(view.price);
  const short = balance.state === 'known' && balance.missing > 0 && !actions.anyBusy;
  return (
    <>
      <PaySums balance={balance} price={view.price} className="mt-2" />
      <MoveButtons>
        {short ? <DepositLink missing={balance.missing} className="w-full" /> : null}
        <ActionButton
          action="pay"
          variant={short || early ? 'outline' : 'seal'}
          primary={!short && !early}
          view={view}
          actions={actions}
          className="w-full"
        />
        <ActionButton action="remove" variant={short ? 'ghost' : 'outline'} view={view} actions={actions} className="w-full" />
      </MoveButtons>
      <p className="text-sm text-muted-foreground">
        {short
          ? t('move.short', { sum: usd(balance.missing) })
          : t(early ? 'move.payEarly' : 'move.payHelp', { name: view.other.username })}
      </p>
    </>
  );
}
