import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { Page } from '@/components/page';
import { Pager } from '@/components/pager';
import { Section } from '@/components/section';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Button, buttonVariants } from '@/components/ui/button';
import { walletQuery } from '@/entities/wallet/queries';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { statement } from '@/i18n/en/statement';
import { wallet } from '@/i18n/en/wallet';
import { type HistoryKind, HistoryView, useHistory } from '../history/history';
import Limits from '../limits/limits';
import { whileWaiting } from '../queries';
import { BalanceChart } from './balance-chart';
import { BalanceHead, BalanceTiles } from './balance-figures';
import { PendingDeposits } from './pending-deposits';
import { PendingWithdrawals } from './pending-withdrawals';

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
