import { Page } from '@/components/page';
import { Skeleton, SkeletonPage } from '@/components/ui/skeleton';
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
      <div className="listhead">
        <h1 className="d40 listhead__title">{t('page')}</h1>
      </div>
      <SkeletonPage label={c('loading')}>
        <div className="tabs listsk__tabs">
          {ROWS.map((row) => (
            <Skeleton key={row} width={88} />
          ))}
        </div>
        {ROWS.map((row) => (
          <div key={row} className="listsk__row">
            <span className="stack g2 grow">
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
