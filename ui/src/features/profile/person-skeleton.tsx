import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { HEAD } from './person-head';

/** The shape of a profile while it is on its way. */
export function PersonSkeleton() {
  const c = useTexts(common);
  return (
    <Page title={c('loading')} className="wrap-anywhere">
      <SkeletonPage label={c('loading')}>
        <div className={HEAD}>
          <Skeleton className="size-18" />
          <span className="grid min-w-0 flex-[1_1_200px] content-start gap-2 *:min-w-0">
            <Skeleton className="h-10 w-55" />
            <Skeleton className="w-40" />
          </span>
        </div>
        <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[280px_minmax(0,1fr)] lg:items-start">
          <Skeleton className="h-22.5" />
          <Skeleton className="h-70" />
        </div>
      </SkeletonPage>
    </Page>
  );
}
