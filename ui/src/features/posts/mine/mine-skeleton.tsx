import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { postForm } from '@/i18n/en/post-form';
import { CardsSkeleton } from '../cards-skeleton';
import { MineHead } from './mine-head';

export function MineSkeleton() {
  const t = useTexts(postForm);
  const tCommon = useTexts(common);
  return (
    <Page title={t('mine')}>
      <SkeletonPage label={tCommon('loading')}>
        <MineHead as="p">
          <Skeleton className="h-11 w-37.5" />
        </MineHead>
        <CardsSkeleton />
      </SkeletonPage>
    </Page>
  );
}
