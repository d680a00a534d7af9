import { useQuery } from '@tanstack/react-query';
import { HANGING } from '@/components/classes';
import { SkeletonPage } from '@/components/skeleton-page';
import { Stat } from '@/components/stat';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { centsFromWire, count, usd } from '@/lib/money';
import type { DayRange } from '@/lib/period';
import { totalsQuery } from './queries';
import { SectionFailure } from './section-failure';

const FIGURES = 5;
const GRID = 'grid grid-cols-[repeat(auto-fit,minmax(min(150px,100%),1fr))] gap-x-5 gap-y-7';

export function Totals({ range }: { range: DayRange }) {
  const t = useTexts(adminDashboard);
  const tCommon = useTexts(common);
  const query = useQuery(totalsQuery(range));
  if (query.isLoadingError) return <SectionFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) {
    return (
      <SkeletonPage part label={tCommon('loading')}>
        <div className={GRID}>
          {Array.from({ length: FIGURES }, (_, index) => (
            <div key={index} className={HANGING}>
              <Skeleton className="h-5.5 w-3/5" />
              <Skeleton className="mt-4 h-10 w-4/5" />
            </div>
          ))}
        </div>
      </SkeletonPage>
    );
  }
  const { totalUsers, totalDeals, totalDepositAmount, totalWithdrawAmount, totalEarnings } = query.data;
  const money = (amount: number) => usd(centsFromWire(amount));
  return (
    <section
      className={cn(GRID, '**:data-[slot=stat-value]:text-[clamp(22px,6vw,28px)] **:data-[slot=stat-value]:wrap-anywhere')}
      aria-label={t('totals')}
    >
      <Stat label={t('total.users')} value={count(totalUsers)}>
        {t('means.users')}
      </Stat>
      <Stat label={t('total.deals')} value={count(totalDeals)}>
        {t('means.deals')}
      </Stat>
      <Stat label={t('total.deposits')} value={money(totalDepositAmount)}>
        {t('means.deposits')}
      </Stat>
      <Stat label={t('total.withdrawals')} value={money(totalWithdrawAmount)}>
        {t('means.withdrawals')}
      </Stat>
      <Stat label={t('total.earnings')} value={money(totalEarnings)}>
        {t('means.earnings')}
      </Stat>
    </section>
  );
}
