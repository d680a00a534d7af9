import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { postForm } from '@/i18n/en/post-form';
import { CardsSkeleton } from './cards-skeleton';
import { MineHead } from './mine-head';

/** The shape of one's own posts while they are on their way. */
export function MineSkeleton() {
  const t = useTexts(postForm);
  const c = useTexts(common);
  return (
    <Page title={t('mine')}>
      <SkeletonPage label={c('loading')}>
        <MineHead as="p">
          <Skeleton width={150} height={44} />
        </MineHead>
        <CardsSkeleton />
      </SkeletonPage>
    </Page>
  );
}
