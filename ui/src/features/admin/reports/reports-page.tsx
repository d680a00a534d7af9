import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AdminCase } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { TAB_LINK } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { admin, adminReports } from '@/i18n/en/admin';
import { report } from '@/i18n/en/report';
import { count } from '@/lib/money';
import { REPORT_TABS, type ReportTab } from '../admin-search';
import { claimOf, LIST_PAGE_SIZE } from '../queue/list-query';
import { QueuePage, RowLink } from '../queue/queue-page';
import { Age, OnIt, QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { SearchFilter } from '../queue/search-filter';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { CaseBadge } from './case-badge';
import { reportsQuery, waitingReportsQuery, waitingSince } from './queries';

const loadReview = () => import('./case-review');
const CaseReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/reports');

function Tabs({ shown }: { shown: ReportTab }) {
  const t = useTexts(adminReports);
  const { data: waiting } = useQuery(waitingReportsQuery);
  const totals = { open: waiting?.open, appealed: waiting?.appealed, decided: undefined };
  return REPORT_TABS.map((tab) => (
    <Link
      key={tab}
      to="/admin/reports"
      search={{ tab }}
      resetScroll={false}
      className={TAB_LINK}
      aria-current={tab === shown ? 'page' : undefined}
    >
      {t(`tab.${tab}`)} {totals[tab] ? <Badge variant="count">{count(totals[tab])}</Badge> : null}
    </Link>
  ));
}

function State({ row }: { row: AdminCase }) {
  const t = useTexts(adminReports);
  if (row.status === 'open' || row.status === 'appealed') {
    return (
      <>
        <Age since={waitingSince(row)} />
        <OnIt claim={claimOf(row)} />
      </>
    );
  }
  if (row.appeal?.status === 'overturned') return <Badge variant="outline">{t('done.overturned')}</Badge>;
  return row.action === '' ? null : <CaseBadge action={row.action} />;
}

function Line({ row, selected }: { row: AdminCase; selected: boolean }) {
  const t = useTexts(adminReports);
  const tReport = useTexts(report);
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name" className="wrap-anywhere">
        <RowLink to="/admin/reports" id={row._id}>
          <UserName user={row.accused} className="font-semibold" />
        </RowLink>
        <span className="block text-sm/[1.4] text-muted-foreground">{t('count', { count: row.reports })}</span>
      </QueueCell>
      <QueueCell column="words">
        <span className="block text-sm/[1.4] text-muted-foreground">{t(`subject.${row.subject}`)}</span>
        <span className="line-clamp-2 wrap-anywhere">
          {row.subject === 'post' ? row.subjectName : row.excerpt || row.subjectName}
        </span>
      </QueueCell>
      <QueueCell column="about" className="text-sm/[1.4]">
        <span className="line-clamp-2">{row.reasons.map((reason) => tReport(`reason.${reason}`)).join(', ')}</span>
      </QueueCell>
      <QueueCell column="when">
        <State row={row} />
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/reports: open cases and appeals, the oldest first; decided ones, the latest first. */
export function AdminReportsPage() {
  useAhead(loadReview);
  const t = useTexts(adminReports);
  const tAdmin = useTexts(admin);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: reportsQuery });
  const { search, rows, page, data } = list;
  const { tab = 'open' } = search;
  const waiting = useQuery(waitingReportsQuery).data;
  const { reviewed, keep, onNext, onClose } = useRowReview(list);
  const place =
    reviewed?.listed && data && tab !== 'decided'
      ? { position: (page - 1) * LIST_PAGE_SIZE + reviewed.position + 1, total: data.total }
      : null;
  return (
    <QueuePage
      title={t('page')}
      heading={t('reports')}
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
          label={t('reports')}
          heads={[t('accused'), t('subject'), t('reasons'), tAdmin(tab === 'decided' ? 'status' : 'age')]}
        >
          {rows.map((row) => (
            <Line key={row._id} row={row} selected={row._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={
        <EmptyState
          title={t(search.search ? 'none' : `empty.${tab}`)}
          {...(tab === 'decided' || search.search ? {} : { text: tAdmin('empty.waitingText') })}
        />
      }
    >
      {reviewed ? (
        <CaseReview
          key={reviewed.row._id}
          row={reviewed.row}
          listed={reviewed.listed}
          keep={keep}
          place={place}
          onNext={onNext}
          onClose={onClose}
        />
      ) : null}
    </QueuePage>
  );
}
