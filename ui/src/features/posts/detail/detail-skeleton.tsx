import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import { DetailColumns, OfferColumn, PostColumn } from './detail-columns';

export function PostSkeleton() {
  const t = useTexts(posts);
  const tCommon = useTexts(common);
  return (
    <Page title={t('title')} className="wrap-anywhere">
      <SkeletonPage label={tCommon('loading')}>
        <div className="mb-2 flex min-h-8 items-center">
          <Skeleton className="w-55" />
        </div>
        <DetailColumns>
          <PostColumn>
            <Skeleton className="h-11 w-[70%]" />
            <Skeleton className="aspect-4/3 h-auto border-t-2 border-foreground" />
            <Skeleton className="h-30" />
          </PostColumn>
          <OfferColumn>
            <Skeleton className="h-55" />
            <Skeleton className="h-40" />
          </OfferColumn>
        </DetailColumns>
      </SkeletonPage>
    </Page>
  );
}
