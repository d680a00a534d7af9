import { HANGING } from '@/components/classes';
import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { FiguresGrid } from './figures-grid';

export function DashboardSkeleton() {
  const t = useTexts(dashboard);
  const tCommon = useTexts(common);
  return (
    <Page title={t('page')}>
      <SkeletonPage label={tCommon('loading')}>
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
