import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '@/components/page';
import { buttonVariants } from '@/components/ui/button';
import { dealListQuery } from '@/entities/deal/latest-query';
import { dealTotalsQuery, unfinishedDealsQuery } from '@/entities/deal/queries';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import type { Period } from '@/lib/period-search';
import { formatTime } from '@/lib/time';
import { Checklist } from './checklist';
import { CompletedChart } from './completed-chart';
import { DealLedger } from './deal-ledger';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { PendingActionsList } from './pending-actions-list';
import { Record } from './record';
import { PeriodContext } from './use-figures';

type Props = {
  period: Period;
  onDeal: () => void;
};

/** Without deals it shows the first steps. */
export function DashboardPage({ period, onDeal }: Props) {
  const t = useTexts(dashboard);
  const me = useMe();
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
        <Checklist totals={totals} />
        <PendingActionsList deals={unfinished.rows} unread={unfinished.total - unfinished.rows.length} />
        <Figures deals={unfinished.rows} />
        <div className="grid gap-10 wide:grid-cols-2 wide:gap-x-12 wide:gap-y-14 wide:[&>:nth-child(-n+2):last-child]:col-span-full">
          {latest.total === 0 ? null : <DealLedger deals={latest.rows} total={latest.total} />}
          <CompletedChart totals={totals.completed} />
          <Record />
        </div>
      </Page>
    </PeriodContext>
  );
}
