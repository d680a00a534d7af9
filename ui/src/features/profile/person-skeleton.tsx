import { STACK } from '@/components/classes';
import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { PERSON_COLUMNS, PERSON_HEAD } from './person-classes';

/** The shape of a profile while it is on its way. */
export function PersonSkeleton() {
  const c = useTexts(common);
  return (
    <Page title={c('loading')} className="wrap-anywhere">
      <SkeletonPage label={c('loading')}>
        <div className={PERSON_HEAD}>
          <Skeleton width={72} height={72} />
          <span className={cn(STACK, 'flex-[1_1_200px] gap-2')}>
            <Skeleton width={220} height={40} />
            <Skeleton width={160} />
          </span>
        </div>
        <div className={PERSON_COLUMNS}>
          <Skeleton height={90} />
          <Skeleton height={280} />
        </div>
      </SkeletonPage>
    </Page>
  );
}
