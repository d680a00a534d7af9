import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Page } from '@/components/page';
import { PeriodFilter } from '@/components/period-filter';
import { buttonVariants } from '@/components/ui/button';
import { dealListQuery } from '@/entities/deal/latest-query';
import { dealTotalsQuery, unfinishedDealsQuery } from '@/entities/deal/queries';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import type { Period } from '@/lib/period-search';
import { formatTime } from '@/lib/time';
import { CompletedChart } from './completed-chart';
import { DealLedger } from './deal-ledger';
import { Figures } from './figures';
import { FiguresFailure } from './level';
import { PendingActionsList } from './pending-actions-list';
import { ReceivedReviews } from './reviews';
import { PeriodContext } from './use-figures';

/** Where a signed-in user lands: what waits for a hand, the balance and the level, the deals as a ledger, and reviews. */
export function DashboardPage({ period }: { period: Period }) {
  const t = useTexts(dashboard);
  const me = useMe();
  const navigate = useNavigate();
  const choose = (chosen: Period) => void navigate({ to: '/dashboard', search: chosen, resetScroll: false });
  const { data: unfinished } = useSuspenseQuery(unfinishedDealsQuery);
  const { data: totals } = useSuspenseQuery(dealTotalsQuery);
  const { data: latest } = useSuspenseQuery({ ...dealListQuery, meta: { fallback: () => t('dealsFailed') } });
  return (
    <PeriodContext value={period}>
      <Page title={t('page')}>
        <div className="mb-6 grid gap-4 wide:grid-cols-[1fr_auto] wide:items-center">
          <div className="flex min-w-0 items-center gap-4">
            <UserAvatar name={me.username} picture={me.profilePic} size="lg" />
            <div className="min-w-0 flex-1">
              <h1 className="font-display text-display-md wrap-anywhere">{me.username}</h1>
              <p className="text-sm text-muted-foreground">
                {t('since', { month: formatTime(me.createdAt, 'month') })}{' '}
                <Link to="/profile" className={buttonVariants({ variant: 'link' })}>
                  {t('toProfile')}
                </Link>
              </p>
            </div>
          </div>
          <PeriodFilter label={t('period')} period={period} onPeriod={choose} />
        </div>
        <PendingActionsList deals={unfinished.rows} unread={unfinished.total - unfinished.rows.length} />
        <FiguresFailure />
        <Figures deals={unfinished.rows} />
        <div className="grid gap-10 wide:grid-cols-2 wide:gap-x-12 wide:gap-y-14 wide:[&>:nth-child(2):last-child]:col-span-full">
          <DealLedger deals={latest.rows} total={latest.total} />
          <CompletedChart totals={totals.completed} />
          <ReceivedReviews />
        </div>
      </Page>
    </PeriodContext>
  );
}
