import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AdminWithdrawal } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { centsFromWire, localDigits } from '@/lib/money';
import { WITHDRAWAL_TABS } from '../admin-search';
import { LIST_PAGE_SIZE } from '../queue/list-query';
import { type QueueLine, QueueScreen } from '../queue/queue-screen';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList } from '../queue/use-admin-list';
import { withdrawalQueueQuery } from './queries';

const loadReview = () => import('./withdrawal-review');
const WithdrawalReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/withdrawal');

function lineOf(row: AdminWithdrawal): QueueLine {
  return {
    id: row._id,
    user: row.user,
    reference: localDigits(groupedPhone(row.phonenumber)),
    method: row.paymentMethod,
    cents: centsFromWire(row.amount),
    poisha: centsFromWire(row.convertedAmount),
    since: row.requestedAt,
    status: row.status,
    claim: row.claim,
    openedAt: row.claimedAt,
    operation: row.operation,
    heldUntil: row.heldUntil,
  };
}

export function WithdrawalsPage() {
  useAhead(loadReview);
  const t = useTexts(admin);
  const list = useAdminList({
    search: route.useSearch(),
    navigate: route.useNavigate(),
    query: withdrawalQueueQuery,
    throws: true,
  });
  const held = useQuery(withdrawalQueueQuery({ tab: 'held' })).data;
  const { search, data, rows } = list;
  const found = search.search !== undefined;
  const sum = () => rows.reduce((cents, row) => cents + centsFromWire(row.amount), 0);
  const chosen =
    (found || search.tab !== undefined) && data
      ? {
          totals: { total: data.total, cents: data.total <= LIST_PAGE_SIZE ? sum() : null, oldest: undefined, found: true },
          empty: <EmptyState title={t(found ? 'noWithdrawals' : 'empty.withdrawals.other')} />,
        }
      : null;
  return (
    <QueueScreen
      kind="withdrawals"
      to="/admin/withdrawal"
      tabs={WITHDRAWAL_TABS}
      held={held?.total}
      chosen={chosen}
      filter={
        <SearchFilter
          label={t('searchWithdrawals')}
          search={search.search}
          found={data && found ? t('foundWithdrawals', { count: data.total }) : ''}
          onSearch={(wanted) => list.choose({ search: wanted }, true)}
        />
      }
      list={list}
      waiting={useQuery(withdrawalQueueQuery({})).data}
      amountOf={(row) => centsFromWire(row.amount)}
      lineOf={lineOf}
      heads={[t('methodAndNumber'), t('amount')]}
      review={(review) => <WithdrawalReview key={review.row._id} {...review} />}
    />
  );
}
