import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';

const ROWS = [0, 1, 2, 3];

export function ListSkeleton() {
  const t = useTexts(deals);
  const tCommon = useTexts(common);
  return (
    <Page title={t('page')}>
      <SkeletonPage label={tCommon('loading')}>
        <div className="mb-3 flex items-center justify-between gap-3 2xs:mb-5 2xs:flex-wrap 2xs:gap-x-6">
          <p className="font-display text-display-lg max-2xs:min-w-0 max-2xs:text-[24px]">{t('page')}</p>
          <Skeleton className="h-11 w-34.25" />
        </div>
        <div className="flex min-h-12 items-center gap-6 border-b border-border-strong">
          {ROWS.map((row) => (
            <Skeleton key={row} className="w-22" />
          ))}
        </div>
        {ROWS.map((row) => (
          <div key={row} className="flex min-h-19 items-center gap-6 border-b">
            <span className="grid min-w-0 flex-1 content-start gap-2 *:min-w-0">
              <Skeleton className="w-3/5" />
              <Skeleton className="w-[38%]" />
            </span>
            <Skeleton className="h-8 w-24" />
          </div>
        ))}
      </SkeletonPage>
    </Page>
  );
}
