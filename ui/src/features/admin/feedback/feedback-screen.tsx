import { EmptyState } from '@/components/empty-state';
import { lazyPart } from '@/components/lazy-part';
import { useAhead } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { adminFeedback } from '@/i18n/en/admin-feedback';
import { formatTime } from '@/lib/time';
import type { ListSearch } from '../queue/list-search';
import { RowLink } from '../queue/queue-links';
import { QueuePage } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import type { AdminList } from '../queue/use-admin-list';
import { useRowReview } from '../queue/use-row-review';
import type { FeedbackEntry } from './queries';

const loadReview = () => import('./feedback-review');
const FeedbackReview = lazyPart(loadReview, ({ onClose }) => onClose());

type FeedbackPath = '/admin/bug-reports' | '/admin/contact-messages';
type LineProps = { entry: FeedbackEntry; to: FeedbackPath; selected: boolean };

function Line({ entry, to, selected }: LineProps) {
  const t = useTexts(adminFeedback);
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to={to} id={entry._id}>
          <b className="font-semibold">{entry.username || entry.name || t('visitor')}</b>
        </RowLink>
        {entry.username ? null : <span className="block text-sm/[1.4] text-muted-foreground">{t('notSignedIn')}</span>}
      </QueueCell>
      <QueueCell column="words">
        {entry.subject ? <b className="block truncate font-semibold">{entry.subject}</b> : null}
        <span className="line-clamp-2 wrap-anywhere">{entry.text}</span>
      </QueueCell>
      <QueueCell column="about" className="text-sm/[1.4]">
        <span className="block truncate">{entry.email}</span>
      </QueueCell>
      <QueueCell column="when" className="text-sm/[1.4] lining-nums tabular-nums">
        {formatTime(entry.createdAt, 'moment')}
      </QueueCell>
    </QueueRow>
  );
}

type Props = { kind: 'bug' | 'contact'; to: FeedbackPath; list: AdminList<ListSearch, FeedbackEntry> };

export function FeedbackScreen({ kind, to, list }: Props) {
  useAhead(loadReview);
  const t = useTexts(adminFeedback);
  const { reviewed, onNext, onClose } = useRowReview(list);
  const heading = t(`${kind}s`);
  return (
    <QueuePage
      title={t(`${kind}sPage`)}
      heading={heading}
      list={list}
      failure={t(`${kind}sFailed`)}
      table={
        <QueueRows words label={heading} heads={[t('from'), t('words'), t('email'), t('received')]}>
          {list.rows.map((entry) => (
            <Line key={entry._id} entry={entry} to={to} selected={entry._id === list.search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t(`${kind}sEmpty`)} />}
    >
      {reviewed ? (
        <FeedbackReview key={reviewed.row._id} entry={reviewed.row} eyebrow={t(kind)} onNext={onNext} onClose={onClose} />
      ) : null}
    </QueuePage>
  );
}
