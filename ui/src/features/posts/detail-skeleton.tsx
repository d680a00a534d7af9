import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import { Columns, OfferColumn, PostColumn } from './detail-columns';

/** The shape of a post while it is on its way. */
export function PostSkeleton() {
  const t = useTexts(posts);
  const c = useTexts(common);
  return (
    <Page title={t('title')} className="wrap-anywhere">
      <SkeletonPage label={c('loading')}>
        <div className="mb-2 flex min-h-8 items-center">
          <Skeleton width={220} />
        </div>
        <Columns>
          <PostColumn>
            <Skeleton width="70%" height={44} />
            <span className="sk block aspect-4/3 h-auto w-full border-t-2 border-foreground" />
            <Skeleton height={120} />
          </PostColumn>
          <OfferColumn>
            <Skeleton height={220} />
            <Skeleton height={160} />
          </OfferColumn>
        </Columns>
      </SkeletonPage>
    </Page>
  );
}
