import { Page } from '@/components/page';
import { Skeleton } from '@/components/ui/skeleton';
import { SkeletonPage } from '@/components/ui/skeleton-page';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import './act-bar.css';
import './deal.css';
import './detail.css';

/** The shape of a deal's page while it is on its way. */
export function DetailSkeleton() {
  const t = useTexts(deals);
  const c = useTexts(common);
  return (
    <Page title={t('crumb')} className="dealpage">
      <SkeletonPage label={c('loading')}>
        <div className="crumbs">
          <Skeleton width={160} />
        </div>
        <div className="dealhead">
          <Skeleton width="min(560px, 80%)" height={44} />
          <Skeleton width="min(280px, 60%)" height={32} />
          <Skeleton width="min(520px, 90%)" height={20} />
        </div>
        <div className="cols">
          <div className="stack g12">
            <div className="hold hold--sk skst">
              <span className="hold__col" />
              <span className="hold__col" />
              <span className="hold__col" />
            </div>
            <div className="sec stack">
              <Skeleton width={200} height={24} />
              <Skeleton />
              <Skeleton width="72%" />
            </div>
          </div>
          <div className="sec stack">
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
