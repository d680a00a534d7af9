import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { Deposit } from '@/api/contract';
import { CODE, MONEY, TAKA } from '@/components/classes';
import { LoadFailed, RetryLine } from '@/components/load-failed';
import { Page } from '@/components/page';
import { Pager } from '@/components/pager';
import { SealMark } from '@/components/seal-mark';
import { Section } from '@/components/section';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Button, buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { CHECKING_LIST, CheckingLine, pendingDepositsQuery } from '@/entities/wallet/deposits';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { checking, balance as words } from '@/i18n/en/balance';
import { khata } from '@/i18n/en/khata';
import { statement, wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, ceilRate, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { type HistoryKind, HistoryView, useHistory } from '../history/history';
import Limits from '../limits/limits';
import { useLoadFailure, whileWaiting } from '../queries';
import { BalanceChart } from './balance-chart';
import { PendingWithdrawals } from './pending-withdrawals';

function oneDollar(whole: number): string {
  return bdt(toPoisha(100, whole));
}

function Estimate({ cents }: { cents: number }) {
  const t = useTexts(wallet);
  const rate = useQuery(rateQuery);
  useLoadFailure(rate, t('rateFailed'));
  if (rate.isLoadingError) {
    return <RetryLine text={t('rateFailed')} className={cn(TAKA, 'mt-1')} onRetry={() => void rate.refetch()} />;
  }
  if (!rate.data) return <Skeleton className="mt-2 w-55" />;
  const whole = floorRate(rate.data.usdToBdt);
  return <p className={cn(TAKA, 'mt-1')}>{t('atRate', { taka: aboutBdt(toPoisha(cents, whole)), rate: oneDollar(whole) })}</p>;
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
      <p data-slot="balance" className={SUM} aria-live="polite">
        {usd(cents)}
      </p>
      <Estimate cents={cents} />
    </>
  );
}

function BalanceHead() {
  const t = useTexts(wallet);
  return (
    <div className="mb-8 grid gap-5 md:grid-cols-[1fr_auto] md:items-end">
      <div>
        <h1 className="font-semibold text-muted-foreground">{t('yourBalance')}</h1>
        <Amount />
        <CheckingLine />
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

function BalanceTiles() {
  const t = useTexts(wallet);
  const { data: balance } = useQuery(walletQuery);
  const { data: rate } = useQuery(rateQuery);
  const money = (dollars: number | undefined) => (dollars === undefined ? t('none') : usd(centsFromWire(dollars)));
  const tiles = [
    [t('inTrust'), money(balance?.inEscrow)],
    [t('onTheWay'), money(balance?.pendingWithdrawal)],
    [t('rateDeposits'), rate ? oneDollar(ceilRate(rate.usdToBdt)) : t('none')],
    [t('rateWithdrawals'), rate ? oneDollar(floorRate(rate.usdToBdt)) : t('none')],
  ] as const;
  return (
    <dl className="grid grid-cols-[1fr_1fr] gap-x-3 gap-y-4 md:grid-cols-[repeat(4,1fr)]">
      {tiles.map(([label, value]) => (
        <div key={label} className="grid content-between border-t border-border-strong pt-2">
          <dt className="text-sm/[1.35] text-muted-foreground">{label}</dt>
          <dd className={`${MONEY} mt-1 text-[24px]`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Pending({ deposit }: { deposit: Deposit }) {
  const t = useTexts(checking);
  const tKhata = useTexts(khata);
  const { _id, claimedAmount, paymentMethod, transactionId, createdAt, status } = deposit;
  return (
    <li
      data-slot="pending-deposit"
      className="relative flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 hover:bg-muted"
    >
      <div className="min-w-0">
        <Link
          to="/balance/deposits/$depositId"
          params={{ depositId: _id }}
          className="font-semibold after:absolute after:inset-0"
        >
          {t('row', { sum: usd(centsFromWire(claimedAmount)), method: tKhata(`method.${paymentMethod}`) })}
        </Link>
        <p className="text-sm text-muted-foreground">
          <span className={CODE}>{transactionId}</span> · {t('since', { when: formatTime(createdAt, 'moment') })}
        </p>
      </div>
      <RequestBadge status={status} />
    </li>
  );
}

function PendingDeposits() {
  const t = useTexts(checking);
  const { data, error, isError, isFetching, refetch } = useQuery(pendingDepositsQuery);
  const deposits = data?.deposits ?? [];
  if (deposits.length === 0 && !isError) return null;
  return (
    <div id={CHECKING_LIST} className="scroll-mt-20">
      <Section title={t('title')} className="mt-12">
        {isError ? <LoadFailed error={error} text={t('failed')} busy={isFetching} onRetry={() => void refetch()} /> : null}
        <ul>
          {deposits.map((deposit) => (
            <Pending key={deposit._id} deposit={deposit} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

// Below the chart, and empty for most users.

const route = getRouteApi('/_app/balance/');
const KINDS: readonly HistoryKind[] = ['deposits', 'withdrawals'];

/** Polls while an admin's decision is pending, because it changes the balance. */
function useBalanceWhileWaiting(waiting: boolean): (() => number) | false {
  const live = waiting ? whileWaiting : false;
  useQuery({ ...walletQuery, refetchInterval: live });
  return live;
}

function HistoryTabs({ shown }: { shown: HistoryKind }) {
  const t = useTexts(wallet);
  return (
    <TabsNav aria-label={t('history')}>
      {KINDS.map((kind) => (
        <Link
          key={kind}
          to="/balance"
          search={kind === 'deposits' ? {} : { tab: kind }}
          activeOptions={{ exact: true }}
          resetScroll={false}
          className={TAB_LINK}
          aria-current={kind === shown ? 'page' : undefined}
        >
          {t(kind)}
        </Link>
      ))}
    </TabsNav>
  );
}

/** /balance: the balance, its chart, limits, and the histories. */
export function BalancePage() {
  const t = useTexts(wallet);
  const tStatement = useTexts(statement);
  const { tab: kind = 'deposits', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const history = useHistory(kind, page);
  const { loaded } = history;
  const live = useBalanceWhileWaiting(loaded?.rows.some((row) => row.status === 'pending') ?? false);
  const goTo = (wanted: number, replace = false) =>
    void navigate({ search: (now) => ({ ...now, page: wanted === 1 ? undefined : wanted }), replace, resetScroll: false });
  const here = useStillHere();
  const last = loaded ? Math.max(1, loaded.pages) : page;
  const clamp = useEffectEvent(() => {
    if (page > last && here()) goTo(last, true);
  });
  useEffect(() => clamp(), [page, last]);
  return (
    <Page title={t('balance')}>
      <BalanceHead />
      <BalanceTiles />
      <PendingDeposits />
      <PendingWithdrawals />
      <BalanceChart live={live} />
      <Limits />
      <Section
        title={t('history')}
        className="mt-12"
        aside={
          <Link to="/balance/statement" className={buttonVariants({ variant: 'link' })}>
            {tStatement('open')}
          </Link>
        }
      >
        <HistoryTabs shown={kind} />
        <HistoryView
          kind={kind}
          history={history}
          first={
            <Button variant="outline" asChild>
              <Link to={kind === 'deposits' ? '/deposit' : '/withdraw'}>{t(kind === 'deposits' ? 'deposit' : 'withdraw')}</Link>
            </Button>
          }
        />
        {loaded && loaded.pages > 1 ? (
          <div className="mt-4">
            <Pager page={page} pages={loaded.pages} onPage={(wanted) => goTo(wanted)} label={t('pages')} />
          </div>
        ) : null}
      </Section>
    </Page>
  );
}
