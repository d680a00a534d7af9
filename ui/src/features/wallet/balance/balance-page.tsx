import { useQuery } from '@tanstack/react-query';
import { Link, useMatches } from '@tanstack/react-router';
import { Suspense } from 'react';
import { MONEY, TAKA } from '@/components/classes';
import { Fold } from '@/components/fold';
import { lazyPart } from '@/components/lazy-part';
import { RetryLine } from '@/components/load-failed';
import { Page } from '@/components/page';
import { SealMark } from '@/components/seal-mark';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, ceilRate, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { DepositDialog } from '../deposit/deposit-dialog';
import { Limits } from '../limits/limits';
import { pendingWithdrawalsQuery, useLoadFailure, whileWaiting } from '../queries';
import { StatementList } from '../statement/statement-list';
import { WithdrawDialog } from '../withdraw/withdraw-dialog';
import { Pending } from './pending';

const BalanceChart = lazyPart(() => import('./balance-chart'));
// Its forms are most of the page's code.
const SavedNumbers = lazyPart(() => import('../payout/saved-numbers'));

function Estimate({ cents }: { cents: number }) {
  const t = useTexts(wallet);
  const rate = useQuery(rateQuery);
  useLoadFailure(rate, t('rateFailed'));
  if (rate.isLoadingError) {
    return <RetryLine text={t('rateFailed')} className={cn(TAKA, 'mt-1')} onRetry={() => void rate.refetch()} />;
  }
  if (!rate.data) return <Skeleton className="mt-2 w-55" />;
  const [get, pay] = [floorRate(rate.data.usdToBdt), ceilRate(rate.data.usdToBdt)];
  const dollar = (whole: number) => bdt(toPoisha(100, whole));
  return (
    <>
      <p className={cn(TAKA, 'mt-1')}>{t('atRate', { taka: aboutBdt(toPoisha(cents, get)), rate: dollar(get) })}</p>
      {get === pay ? null : (
        <p className="text-sm text-muted-foreground">{t('twoRates', { pay: dollar(pay), get: dollar(get) })}</p>
      )}
    </>
  );
}

const SUM = cn('text-[clamp(3rem,2.4rem+3vw,4.5rem)]', MONEY, 'tracking-(--tracking-display-2xl)');

function Amount() {
  const t = useTexts(wallet);
  const tBalance = useTexts(words);
  const balance = useQuery(walletQuery);
  useLoadFailure(balance, tBalance('failed'));
  if (balance.isLoadingError) {
    return (
      <>
        <p className={SUM}>{t('none')}</p>
        <RetryLine text={tBalance('failed')} className="text-sm text-destructive" onRetry={() => void balance.refetch()} />
      </>
    );
  }
  if (!balance.data) return <Skeleton className="mt-2 h-18 w-65" />;
  const cents = centsFromWire(balance.data.wallet);
  return (
    <>
      <p role="status" aria-live="polite" aria-label={t('yourBalance')} className={SUM}>
        {usd(cents)}
      </p>
      <Estimate cents={cents} />
    </>
  );
}

function BalanceHead() {
  const t = useTexts(wallet);
  return (
    <div className="grid gap-5 md:grid-cols-[1fr_auto] md:items-end">
      <div>
        <h1 className="font-semibold text-muted-foreground">{t('yourBalance')}</h1>
        <Amount />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <Button variant="seal" asChild>
          <Link to="/deposit" state={{ actionType: 'deposit' }}>
            <SealMark large />
            {t('deposit')}
          </Link>
        </Button>
        <Button variant="outline" className="min-h-13" asChild>
          <Link to="/withdraw" state={{ actionType: 'withdraw' }}>
            {t('withdraw')}
          </Link>
        </Button>
      </div>
    </div>
  );
}

/** What Amanat holds of open deals, as the buyer's and as the seller's. */
function Held() {
  const t = useTexts(wallet);
  const { data } = useQuery(walletQuery);
  const held = [
    [t('heldBuying'), data?.inEscrow ?? 0],
    [t('heldSelling'), data?.inEscrowSales ?? 0],
  ] as const;
  const rows = held.flatMap(([label, dollars]) => (dollars > 0 ? [[label, usd(centsFromWire(dollars))] as const] : []));
  return rows.length > 0 ? (
    <div className="mt-6 max-w-120 border-t">
      <Facts rows={rows} />
    </div>
  ) : null;
}

/** Polls while an admin's decision is pending, because it changes the balance. */
function useBalanceWhileWaiting(): (() => number) | false {
  const { data: deposits } = useQuery(pendingDepositsQuery);
  const { data: withdrawals } = useQuery(pendingWithdrawalsQuery);
  const waiting = (deposits?.deposits.length ?? 0) + (withdrawals?.withdrawals.length ?? 0) > 0;
  const live = waiting ? whileWaiting : false;
  useQuery({ ...walletQuery, refetchInterval: live });
  return live;
}

const DIALOGS: Record<string, 'deposit' | 'withdraw'> = { '/deposit': 'deposit', '/withdraw': 'withdraw' };

const shownPath = (matches: { pathname: string }[]) => matches.at(-1)?.pathname ?? '';

/** /balance, and /deposit and /withdraw, which open a dialog over it. */
export function BalancePage() {
  const t = useTexts(wallet);
  const live = useBalanceWhileWaiting();
  // The location is already that of the next page while this one waits for it.
  const path = useMatches({ select: shownPath });
  return (
    <Page title={t(DIALOGS[path] ?? 'balance')}>
      <BalanceHead />
      <Held />
      <Pending />
      <StatementList live={live} />
      <div className="mt-12 border-t">
        <Fold title={t('chart.title')} late>
          <BalanceChart live={live} />
        </Fold>
        <Limits />
        <Suspense>
          <SavedNumbers />
        </Suspense>
      </div>
      <DepositDialog />
      <WithdrawDialog />
    </Page>
  );
}
