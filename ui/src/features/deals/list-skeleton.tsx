import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';

const ROWS = [0, 1, 2, 3];

/** The shape of the list while it is on its way. */
export function ListSkeleton() {
  const t = useTexts(deals);
  const c = useTexts(common);
  return (
    <Page title={t('page')}>
      <SkeletonPage label={c('loading')}>
        <div className="mb-3 flex items-center justify-between gap-3 2xs:mb-5 2xs:flex-wrap 2xs:gap-x-6">
          <p className="font-display text-display-lg max-2xs:min-w-0 max-2xs:text-[24px]">{t('page')}</p>
          <Skeleton width={137} height={44} />
        </div>
        <div className="tabs min-h-12 items-center gap-6">
          {ROWS.map((row) => (
            <Skeleton key={row} width={88} />
          ))}
        </div>
        {ROWS.map((row) => (
          <div key={row} className="flex min-h-19 items-center gap-6 border-b">
            <span className="grid min-w-0 flex-1 content-start gap-2 *:min-w-0">
              <Skeleton width="60%" />
              <Skeleton width="38%" />
            </span>
            <Skeleton width={96} height={32} />
          </div>
        ))}
      </SkeletonPage>
    </Page>
  );
}
