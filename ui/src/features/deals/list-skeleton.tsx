import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import './list.css';

const ROWS = [0, 1, 2, 3];

/** The shape of the list while it is on its way. */
export function ListSkeleton() {
  const t = useTexts(deals);
  const c = useTexts(common);
  return (
    <Page title={t('page')}>
      <SkeletonPage label={c('loading')}>
        <div className="listhead">
          <p className="d40 listhead__title">{t('page')}</p>
          <Skeleton width={137} height={44} />
        </div>
        <div className="tabs listsk__tabs">
          {ROWS.map((row) => (
            <Skeleton key={row} width={88} />
          ))}
        </div>
        {ROWS.map((row) => (
          <div key={row} className="listsk__row">
            <span className="stack g2 fill">
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
