import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { count } from '@/lib/money';
import { QUEUE_PAGE_SIZE } from '../queue/queries';
import { QueuePage } from '../queue/queue-page';
import { useQueue } from '../queue/use-queue';
import { DealReview } from './deal-review';
import type { DealSearch } from './deal-search';
import { DealsFilter } from './deals-filter';
import { DealsTable } from './deals-table';
import { adminDealsQuery, dealsToDecideQuery } from './queries';

const route = getRouteApi('/_admin/admin/deals');

function Tabs({ shown, waiting }: { shown: DealSearch['tab']; waiting: number | undefined }) {
  const t = useTexts(admin);
  const tab = { to: '/admin/deals', activeOptions: { exact: true }, resetScroll: false, className: TAB_LINK } as const;
  return (
    <>
      <Link {...tab} search={{}} aria-current={shown ? undefined : 'page'}>
        {t('tab.all')}
      </Link>
      <Link {...tab} search={{ tab: 'decide' }} aria-current={shown ? 'page' : undefined}>
        {t('tab.decide')} {waiting ? <Badge variant="count">{count(waiting)}</Badge> : null}
      </Link>
    </>
  );
}

function None({ search }: { search: DealSearch }) {
  const t = useTexts(admin);
  if (search.tab) return <EmptyState title={t('empty.decide')} text={t('empty.decideText')} />;
  if (search.dealId) return <EmptyState title={t('empty.dealId')} text={t('empty.dealIdText')} />;
  return <EmptyState title={t('empty.deals')} />;
}

/** /admin/deals */
export function DealsPage() {
  const t = useTexts(admin);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: (now: DealSearch) => DealSearch, replace: boolean) =>
    void navigate({ search: change, replace, resetScroll: false });
  const query = useQuery(adminDealsQuery(search));
  const { data: toDecide } = useQuery(dealsToDecideQuery);
  const { rows = [], total = 0 } = query.data ?? {};
  const { reviewed, keep, next, close } = useQueue(rows, search, onSearch);
  const retry = () => void query.refetch();
  return (
    <QueuePage
      title={t('dealsPage')}
      heading={t('deals')}
      page={search.page ?? 1}
      list={query.data ? { rows: rows.length, pages: Math.ceil(total / QUEUE_PAGE_SIZE) } : null}
      totals={search.tab && toDecide ? { ...toDecide, cents: null } : null}
      stale={query.data && query.isError ? { asOf: query.dataUpdatedAt, retry } : null}
      failed={query.isLoadingError ? { error: query.error, fallback: t('dealsFailed'), retry } : null}
      tabs={<Tabs shown={search.tab} waiting={toDecide?.total} />}
      filter={search.tab ? null : <DealsFilter search={search} onChoose={(chosen) => onSearch(() => chosen, false)} />}
      table={<DealsTable deals={rows} selected={search.review} />}
      empty={<None search={search} />}
      onPage={(page, replace = false) =>
        onSearch((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace)
      }
    >
      {reviewed ? <DealReview key={reviewed.row._id} row={reviewed.row} keep={keep} onNext={next} onClose={close} /> : null}
    </QueuePage>
  );
}
