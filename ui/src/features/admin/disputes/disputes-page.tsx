import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { DisputeSummary } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { DisputeBadge } from '@/entities/deal/dispute/thread';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin, adminDisputes } from '@/i18n/en/admin';
import { disputeRoom } from '@/i18n/en/disputes';
import { centsFromWire, count, usd } from '@/lib/money';
import { DISPUTE_TABS, type DisputeTab } from '../admin-search';
import { claimOf } from '../queue/list-query';
import { QueuePage, RowLink } from '../queue/queue-page';
import { Age, OnIt, QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { disputesQuery, waitingDisputesQuery } from './queries';

const loadReview = () => import('./dispute-review');
const DisputeReview = lazyPart(loadReview, ({ onClose }) => onClose());

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
        search={tab === 'open' ? {} : { tab }}
        activeOptions={{ exact: true }}
        resetScroll={false}
        className={TAB_LINK}
        aria-current={tab === shown ? 'page' : undefined}
      >
        {t(`tab.${tab}`)} {total ? <Badge variant="count">{count(total)}</Badge> : null}
      </Link>
    );
  });
}

function Line({ row, selected }: { row: DisputeSummary; selected: boolean }) {
  const t = useTexts(disputeRoom);
  const waits = row.status === 'open' || row.status === 'appealed';
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name" className="wrap-anywhere">
        <RowLink to="/admin/disputes" id={row._id}>
          <UserName user={row[row.openedBy]} className="font-semibold" />
        </RowLink>
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
  useAhead(loadReview);
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: disputesQuery });
  const { search, rows } = list;
  const { tab = 'open' } = search;
  const waiting = useQuery(waitingDisputesQuery).data;
  const { reviewed, keep, onNext, onClose } = useRowReview(list);
  // A notification links to a dispute on any page of the lists.
  const linked = useQuery({ ...disputeQuery(search.review ?? ''), enabled: search.review !== undefined && reviewed === null });
  const row = reviewed?.row ?? (search.review === undefined ? undefined : linked.data);
  const waits = tab === 'open' || tab === 'appealed';
  return (
    <QueuePage
      title={t('page')}
      heading={t('disputes')}
      list={list}
      totals={waiting ? { total: waiting.total, cents: null, oldest: waiting.oldest } : null}
      failure={t('failed')}
      tabs={<Tabs shown={tab} />}
      table={
        <QueueRows
          words
          label={t('disputes')}
          heads={[t('openedBy'), tAdmin('deal'), t('why'), tAdmin(waits ? 'age' : 'status')]}
        >
          {rows.map((row) => (
            <Line key={row._id} row={row} selected={row._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t(`empty.${tab}`)} {...(waits ? { text: tAdmin('empty.waitingText') } : {})} />}
    >
      {row ? (
        <DisputeReview key={row._id} row={row} listed={reviewed?.listed ?? true} keep={keep} onNext={onNext} onClose={onClose} />
      ) : null}
    </QueuePage>
  );
}
