import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { UserName } from '@/entities/user/user-name';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin-records';
import { formatTime } from '@/lib/time';
import { RowLink } from '../queue/queue-links';
import { QueuePage } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useAdminList } from '../queue/use-admin-list';
import { useRowReview } from '../queue/use-row-review';
import { AuditFilter } from './audit-filter';
import { actionText, ranBy, subjectText } from './entry-text';
import { auditQuery, type Entry } from './queries';

const loadReview = () => import('./entry-review');
const EntryReview = lazyPart(loadReview, ({ onClose }) => onClose());

const route = getRouteApi('/_admin/admin/audit');

function Line({ entry, selected }: { entry: Entry; selected: boolean }) {
  const t = useTexts(adminRecords);
  const { reason } = entry.details;
  const by = ranBy(entry.details);
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
        {entry.actor ? <UserName user={entry.actor} /> : t('operator')}
        {by ? <span className="block wrap-anywhere text-muted-foreground">{by}</span> : null}
      </QueueCell>
      <QueueCell column="state" className="text-sm/[1.4] lining-nums tabular-nums">
        {formatTime(entry.at, 'moment')}
      </QueueCell>
    </QueueRow>
  );
}

/** /admin/audit: actions of admins and operators, newest first. */
export function AuditPage() {
  useAhead(loadReview);
  const t = useTexts(adminRecords);
  const list = useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: auditQuery });
  const { search, rows } = list;
  const { reviewed, onNext, onClose } = useRowReview(list);
  return (
    <QueuePage
      title={t('auditPage')}
      heading={t('audit')}
      list={list}
      failure={t('auditFailed')}
      filter={<AuditFilter search={search} onChoose={list.choose} />}
      table={
        <QueueRows label={t('audit')} heads={[t('action'), t('subject'), t('who'), t('when')]}>
          {rows.map((entry) => (
            <Line key={entry._id} entry={entry} selected={entry._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t('auditEmpty')} />}
    >
      {reviewed ? <EntryReview key={reviewed.row._id} entry={reviewed.row} onNext={onNext} onClose={onClose} /> : null}
    </QueuePage>
  );
}
