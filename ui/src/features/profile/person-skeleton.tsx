import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import './profile.css';

/** The shape of a profile while it is on its way. */
export function PersonSkeleton() {
  const c = useTexts(common);
  return (
    <Page title={c('loading')} className="personpage">
      <SkeletonPage label={c('loading')}>
        <div className="personhead">
          <Skeleton width={72} height={72} />
          <span className="stack g2 fill">
            <Skeleton width={220} height={40} />
            <Skeleton width={160} />
          </span>
        </div>
        <div className="personcols">
          <Skeleton height={90} />
          <Skeleton height={280} />
        </div>
      </SkeletonPage>
    </Page>
  );
}
