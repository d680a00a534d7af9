import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin-records';
import { formatTime } from '@/lib/time';
import { QUEUE_PAGE_SIZE } from '../queue/queries';
import { RowLink } from '../queue/queue-links';
import { QueuePage } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useQueue } from '../queue/use-queue';
import { AuditFilter } from './audit-filter';
import type { AuditSearch } from './audit-search';
import { EntryReview } from './entry-review';
import { actionText, subjectText } from './entry-text';
import { auditQuery, type Entry } from './queries';

const route = getRouteApi('/_admin/admin/audit');

function Line({ entry, selected }: { entry: Entry; selected: boolean }) {
  const t = useTexts(adminRecords);
  const { reason } = entry.details;
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to="/admin/audit" id={entry._id}>
          <b className="font-semibold">{actionText(t, entry.action)}</b>
        </RowLink>
      </QueueCell>
      <QueueCell column="what">
        {subjectText(t, entry.subject)}
        {typeof reason === 'string' && reason !== '' ? (
          <span className="line-clamp-2 text-sm/[1.4] wrap-anywhere text-muted-foreground">{reason}</span>
        ) : null}
      </QueueCell>
      <QueueCell column="sum" className="text-sm/[1.4]">
        {entry.actor?.username ?? t('operator')}
      </QueueCell>
      <QueueCell column="state" className="text-sm/[1.4] lining-nums tabular-nums">
        {formatTime(entry.at, 'moment')}
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/audit: what admins and operators did, newest first. */
export function AuditPage() {
  const t = useTexts(adminRecords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = (change: (now: AuditSearch) => AuditSearch, replace: boolean) =>
    void navigate({ search: change, replace, resetScroll: false });
  const query = useQuery(auditQuery(search));
  const { rows = [], total = 0 } = query.data ?? {};
  const { reviewed, next, close } = useQueue(rows, search, onSearch);
  const retry = () => void query.refetch();
  return (
    <QueuePage
      title={t('auditPage')}
      heading={t('audit')}
      page={search.page ?? 1}
      list={query.data ? { rows: rows.length, pages: Math.ceil(total / QUEUE_PAGE_SIZE) } : null}
      totals={null}
      stale={query.data && query.isError ? { asOf: query.dataUpdatedAt, retry } : null}
      failed={query.isLoadingError ? { error: query.error, fallback: t('auditFailed'), retry } : null}
      filter={<AuditFilter search={search} onChoose={(chosen) => onSearch(() => chosen, false)} />}
      table={
        <QueueRows label={t('audit')} heads={[t('action'), t('subject'), t('who'), t('when')]}>
          {rows.map((entry) => (
            <Line key={entry._id} entry={entry} selected={entry._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t('auditEmpty')} />}
      onPage={(page, replace = false) =>
        onSearch((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace)
      }
    >
      {reviewed ? <EntryReview key={reviewed.row._id} entry={reviewed.row} onNext={next} onClose={close} /> : null}
    </QueuePage>
  );
}
