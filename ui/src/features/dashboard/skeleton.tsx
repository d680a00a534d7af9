import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import './dashboard.css';

const FIGURES = ['trust', 'score', 'rating'];

/** The shape of the dashboard while its data are on their way. */
export function DashboardSkeleton() {
  const t = useTexts(dashboard);
  const c = useTexts(common);
  return (
    <Page title={t('page')}>
      <SkeletonPage label={c('loading')}>
        <div className="dhead">
          <div className="row g4">
            <Skeleton width={56} height={56} className="rounded-full" />
            <Skeleton width={180} height={32} />
          </div>
          <Skeleton height={44} className="dhead__period" />
        </div>
        <div className="dtop">
          <div className="stat stat--main stack g3">
            <Skeleton width={120} />
            <Skeleton width={240} height={56} />
            <Skeleton width={200} />
            <Skeleton width={240} height={44} />
          </div>
          {FIGURES.map((figure) => (
            <div key={figure} className={cn('stat stack g3', figure === 'trust' && 'stat--trust')}>
              <Skeleton width={100} />
              <Skeleton width={140} height={32} />
            </div>
          ))}
        </div>
        <div className="sec stack">
          <Skeleton width={160} height={24} />
          <Skeleton height={56} />
          <Skeleton height={56} />
        </div>
      </SkeletonPage>
    </Page>
  );
}
