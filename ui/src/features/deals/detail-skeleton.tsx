import { ruleOf } from '@/components/khata/holder';
import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';

/** The shape of a deal's page while it is on its way. */
export function DetailSkeleton() {
  const t = useTexts(deals);
  const c = useTexts(common);
  return (
    <Page title={t('crumb')} className="wrap-anywhere">
      <SkeletonPage label={c('loading')}>
        <div className="mb-2 flex min-h-8 items-center">
          <Skeleton width={160} />
        </div>
        <div className="mb-6 grid gap-3">
          <Skeleton width="min(560px, 80%)" height={44} />
          <Skeleton width="min(280px, 60%)" height={32} />
          <Skeleton width="min(520px, 90%)" height={20} />
        </div>
        <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start">
          <div className="grid min-w-0 content-start gap-12 *:min-w-0">
            <div className="skst grid min-h-53 grid-cols-[1fr_1.34fr_1fr] border-t-2 border-b border-border-strong border-t-foreground *:relative">
              <span />
              <span className={ruleOf(false)} />
              <span className={ruleOf(false)} />
            </div>
            <div className="grid min-w-0 content-start gap-4 border-t-2 border-foreground pt-3 *:min-w-0">
              <Skeleton width={200} height={24} />
              <Skeleton />
              <Skeleton width="72%" />
            </div>
          </div>
          <div className="grid min-w-0 content-start gap-4 border-t-2 border-foreground pt-3 *:min-w-0">
            <Skeleton width={140} height={24} />
            <Skeleton />
            <Skeleton height={52} />
            <Skeleton height={44} />
          </div>
        </div>
      </SkeletonPage>
    </Page>
  );
}
