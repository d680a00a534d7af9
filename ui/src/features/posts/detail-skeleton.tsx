import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import '@/components/act-bar.css';
import './detail.css';

/** The shape of a post while it is on its way. */
export function PostSkeleton() {
  const t = useTexts(posts);
  const c = useTexts(common);
  return (
    <Page title={t('title')} className="postpage">
      <SkeletonPage label={c('loading')}>
        <div className="crumbs">
          <Skeleton width={220} />
        </div>
        <div className="cols postcols">
          <div className="stack g8">
            <Skeleton width="70%" height={44} />
            <span className="hero-pic sk" />
            <Skeleton height={120} />
          </div>
          <div className="act">
            <Skeleton height={220} />
            <Skeleton height={160} />
          </div>
        </div>
      </SkeletonPage>
    </Page>
  );
}
