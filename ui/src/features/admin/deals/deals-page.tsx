import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { count } from '@/lib/money';
import { QueuePage } from '../queue/queue-page';
import { useAdminList } from '../queue/use-admin-list';
import { useRowReview } from '../queue/use-row-review';
import type { DealSearch } from './deal-search';
import { DealsFilter } from './deals-filter';
import { DealsTable } from './deals-table';
import { adminDealsQuery, dealsToDecideQuery } from './queries';

const loadReview = () => import('./deal-review');
const DealReview = lazyPart(loadReview, ({ onClose }) => onClose());

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

export function DealsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: adminDealsQuery });
  const { search, rows } = list;
  const { data: toDecide } = useQuery(dealsToDecideQuery);
  const { reviewed, keep, onNext, onClose } = useRowReview(list);
  return (
    <QueuePage
      title={t('dealsPage')}
      heading={t('deals')}
      list={list}
      totals={search.tab && toDecide ? { ...toDecide, cents: null } : null}
      failure={t('dealsFailed')}
      tabs={<Tabs shown={search.tab} waiting={toDecide?.total} />}
      filter={search.tab ? null : <DealsFilter search={search} onChoose={list.choose} />}
      table={<DealsTable deals={rows} selected={search.review} />}
      empty={<None search={search} />}
    >
      {reviewed ? <DealReview key={reviewed.row._id} row={reviewed.row} keep={keep} onNext={onNext} onClose={onClose} /> : null}
    </QueuePage>
  );
}
