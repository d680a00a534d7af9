import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { DisputeSummary } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { DisputeBadge } from '@/entities/deal/dispute/thread';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { admin, adminDisputes } from '@/i18n/en/admin';
import { disputeRoom } from '@/i18n/en/disputes';
import { centsFromWire, count, usd } from '@/lib/money';
import { DISPUTE_TABS, type DisputeSearch, type DisputeTab } from '../admin-search';
import { claimOf } from '../queue/list-query';
import { QueuePage, ROW_LINK } from '../queue/queue-page';
import { Age, OnIt, QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList } from '../queue/use-admin-list';
import { useShortcuts } from '../shortcuts/shortcuts';
import { disputesQuery, waitingDisputesQuery } from './queries';

const route = getRouteApi('/_admin/admin/disputes');

function Tabs({ shown }: { shown: DisputeTab }) {
  const t = useTexts(adminDisputes);
  const { data: waiting } = useQuery(waitingDisputesQuery);
  return DISPUTE_TABS.map((tab) => {
    const total = tab === 'open' || tab === 'appealed' ? waiting?.[tab] : undefined;
    return (
      <Link
        key={tab}
        to="/admin/disputes"
        search={{ tab }}
        resetScroll={false}
        className={TAB_LINK}
        aria-current={tab === shown ? 'page' : undefined}
      >
        {t(`tab.${tab}`)} {total ? <Badge variant="count">{count(total)}</Badge> : null}
      </Link>
    );
  });
}

function Line({ row, search }: { row: DisputeSummary; search: DisputeSearch }) {
  const t = useTexts(disputeRoom);
  const waits = row.status === 'open' || row.status === 'appealed';
  return (
    <QueueRow selected={false}>
      <QueueCell column="name" className="wrap-anywhere">
        <Link to="/admin/disputes/$id" params={{ id: row._id }} search={search} className={ROW_LINK}>
          <UserName user={row[row.openedBy]} className="font-semibold" />
        </Link>
        <span className="block text-sm/[1.4] text-muted-foreground">{usd(centsFromWire(row.deal.price))}</span>
      </QueueCell>
      <QueueCell column="words">
        <span className="line-clamp-2 wrap-anywhere">{row.deal.title}</span>
      </QueueCell>
      <QueueCell column="about" className="text-sm/[1.4]">
        <span className="line-clamp-2">{t(`reason.${row.reason}`)}</span>
      </QueueCell>
      <QueueCell column="when">
        {waits ? (
          <>
            <Age since={row.createdAt} />
            <OnIt claim={claimOf(row)} />
          </>
        ) : (
          <DisputeBadge status={row.status} />
        )}
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/disputes: open disputes and appeals, the oldest first; decided and closed ones. */
export function AdminDisputesPage() {
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: disputesQuery });
  const { search, rows, data } = list;
  const { tab = 'open' } = search;
  const waiting = useQuery(waitingDisputesQuery).data;
  const navigate = useNavigate();
  const open = (row: DisputeSummary | undefined) => {
    if (row) void navigate({ to: '/admin/disputes/$id', params: { id: row._id }, search });
  };
  useShortcuts({ j: () => open(rows[0]), k: () => open(rows.at(-1)) });
  const waits = tab === 'open' || tab === 'appealed';
  return (
    <QueuePage
      title={t('page')}
      heading={t('disputes')}
      list={list}
      totals={waiting ? { total: waiting.total, cents: null, oldest: waiting.oldest } : null}
      failure={t('failed')}
      tabs={<Tabs shown={tab} />}
      filter={
        <SearchFilter
          label={t('search')}
          search={search.search}
          found={data && search.search ? t('found', { count: data.total }) : ''}
          onSearch={(wanted) => list.choose({ search: wanted }, true)}
        />
      }
      table={
        <QueueRows
          words
          label={t('disputes')}
          heads={[t('openedBy'), tAdmin('deal'), t('why'), tAdmin(waits ? 'age' : 'status')]}
        >
          {rows.map((row) => (
            <Line key={row._id} row={row} search={search} />
          ))}
        </QueueRows>
      }
      empty={
        <EmptyState
          title={t(search.search ? 'none' : `empty.${tab}`)}
          {...(waits && !search.search ? { text: tAdmin('empty.waitingText') } : {})}
        />
      }
    />
  );
}
