import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HANGING } from '@/components/classes';
import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { dealListQuery, dealTotalsQuery, unfinishedDealsQuery } from '@/entities/deal/queries';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { walletQuery } from '@/entities/wallet/queries';
import { useMinWidth } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { load, prefetch } from '@/lib/prefetch';
import { formatTime } from '@/lib/time';
import { DealLedger } from './deal-ledger';
import { Figures, FiguresGrid } from './figures';
import { Checklist, FirstSteps } from './first-steps';
import { PendingActionsList } from './pending-actions';
import { dashboardQuery, PeriodContext } from './queries';
import { Record } from './record';

/**
 * Loads everything in parallel. The page only waits for balance and deals. It shows failures, and
 * repeats a request that ended because the header's query for the same data was unmounted.
 */
export async function loadDashboard(queryClient: QueryClient, period: Period): Promise<void> {
  prefetch(queryClient, dashboardQuery(daysOf(period)));
  await Promise.all([
    load(queryClient, walletQuery),
    load(queryClient, dealListQuery),
    load(queryClient, unfinishedDealsQuery),
    load(queryClient, dealTotalsQuery),
  ]).catch(() => undefined);
}

export function DashboardSkeleton() {
  const t = useTexts(dashboard);
  return (
    <Page title={t('page')}>
      <SkeletonPage>
        <div className="mb-6 flex min-w-0 items-center gap-4">
          <Skeleton className="size-14 rounded-full" />
          <Skeleton className="h-8 w-45" />
        </div>
        <FiguresGrid>
          <div className={cn(HANGING, 'grid content-start gap-3')}>
            <Skeleton className="w-30" />
            <Skeleton className="h-14 w-60" />
            <Skeleton className="w-50" />
            <Skeleton className="h-11 w-60" />
          </div>
          <div className={cn(HANGING, 'grid content-start gap-3')}>
            <Skeleton className="w-25" />
            <Skeleton className="h-8 w-35" />
          </div>
        </FiguresGrid>
        <div className={cn(HANGING, 'grid content-start gap-4')}>
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      </SkeletonPage>
    </Page>
  );
}

type Props = {
  period: Period;
  onDeal: () => void;
};

/** The breakpoint `wide`. A narrower window has what the user acts on, and the record folded. */
const WIDE_FROM = 900;

/** Without deals it shows the first steps. */
export function DashboardPage({ period, onDeal }: Props) {
  const t = useTexts(dashboard);
  const me = useMe();
  const wide = useMinWidth(WIDE_FROM);
  const { data: unfinished } = useSuspenseQuery(unfinishedDealsQuery);
  const { data: totals } = useSuspenseQuery(dealTotalsQuery);
  const { data: latest } = useSuspenseQuery({ ...dealListQuery, meta: { fallback: () => t('dealsFailed') } });
  return (
    <PeriodContext value={period}>
      <Page title={t('page')}>
        <div className="mb-6 flex min-w-0 items-center gap-4">
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
        {latest.total === 0 ? <FirstSteps onDeal={onDeal} /> : null}
        <Figures deals={unfinished.rows} />
        <PendingActionsList deals={unfinished.rows} unread={unfinished.total - unfinished.rows.length} />
        <Checklist totals={totals} />
        {wide && latest.total > 0 ? <DealLedger deals={latest.rows} total={latest.total} /> : null}
        <Record open={wide} totals={totals} />
      </Page>
    </PeriodContext>
  );
}
