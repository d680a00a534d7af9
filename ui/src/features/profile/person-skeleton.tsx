import { STACK } from '@/components/classes';
import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { PERSON_COLUMNS, PERSON_HEAD } from './person-classes';

export function PersonSkeleton() {
  const t = useTexts(common);
  return (
    <Page title={t('loading')} className="wrap-anywhere">
      <SkeletonPage label={t('loading')}>
        <div className={PERSON_HEAD}>
          <Skeleton className="size-18" />
          <span className={cn(STACK, 'flex-[1_1_200px] gap-2')}>
            <Skeleton className="h-10 w-55" />
            <Skeleton className="w-40" />
          </span>
        </div>
        <div className={PERSON_COLUMNS}>
          <Skeleton className="h-80" />
          <Skeleton className="h-70" />
        </div>
      </SkeletonPage>
    </Page>
  );
}
