import { HANGING } from '@/components/classes';
import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { FiguresGrid } from './figures-grid';

const FIGURES = ['trust', 'score', 'rating'];

/** The shape of the dashboard while its data are on their way. */
export function DashboardSkeleton() {
  const t = useTexts(dashboard);
  const c = useTexts(common);
  return (
    <Page title={t('page')}>
      <SkeletonPage label={c('loading')}>
        <div className="mb-6 grid gap-4 wide:grid-cols-[1fr_auto] wide:items-center">
          <div className="flex min-w-0 items-center gap-4">
            <Skeleton width={56} height={56} className="rounded-full" />
            <Skeleton width={180} height={32} />
          </div>
          <Skeleton height={44} className="w-[min(492px,100%)] wide:w-123" />
        </div>
        <FiguresGrid>
          <div className={cn(HANGING, 'col-span-full grid content-start gap-3 wide:col-auto')}>
            <Skeleton width={120} />
            <Skeleton width={240} height={56} />
            <Skeleton width={200} />
            <Skeleton width={240} height={44} />
          </div>
          {FIGURES.map((figure) => (
            <div
              key={figure}
              className={cn(HANGING, 'grid content-start gap-3', figure === 'trust' && 'col-span-full wide:col-auto')}
            >
              <Skeleton width={100} />
              <Skeleton width={140} height={32} />
            </div>
          ))}
        </FiguresGrid>
        <div className={cn(HANGING, 'grid content-start gap-4')}>
          <Skeleton width={160} height={24} />
          <Skeleton height={56} />
          <Skeleton height={56} />
        </div>
      </SkeletonPage>
    </Page>
  );
}
