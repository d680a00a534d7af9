import type { UseQueryResult } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { useTexts } from '@/i18n';
import { adminFeedback } from '@/i18n/en/admin-feedback';
import { formatTime } from '@/lib/time';
import type { ListSearch } from '../queue/list-search';
import { QUEUE_PAGE_SIZE } from '../queue/queries';
import { RowLink } from '../queue/queue-links';
import { QueuePage } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { useQueue } from '../queue/use-queue';
import { FeedbackReview } from './feedback-review';
import type { Letter } from './queries';

type LettersPath = '/admin/bug-reports' | '/admin/contact-messages';
type LineProps = { letter: Letter; to: LettersPath; selected: boolean };

function Line({ letter, to, selected }: LineProps) {
  const t = useTexts(adminFeedback);
  return (
    <QueueRow selected={selected}>
      <QueueCell column="name">
        <RowLink to={to} id={letter._id}>
          <b className="font-semibold">{letter.username || letter.name || t('visitor')}</b>
        </RowLink>
        {letter.username ? null : <span className="block text-sm/[1.4] text-muted-foreground">{t('notSignedIn')}</span>}
      </QueueCell>
      <QueueCell column="words">
        {letter.subject ? <b className="block truncate font-semibold">{letter.subject}</b> : null}
        <span className="line-clamp-2 wrap-anywhere">{letter.text}</span>
      </QueueCell>
      <QueueCell column="about" className="text-sm/[1.4]">
        <span className="block truncate">{letter.email}</span>
      </QueueCell>
      <QueueCell column="when" className="text-sm/[1.4] lining-nums tabular-nums">
        {formatTime(letter.createdAt, 'moment')}
      </QueueCell>
    </QueueRow>
  );
}

type Props = {
  kind: 'bug' | 'contact';
  to: LettersPath;
  search: ListSearch;
  onSearch: (change: (now: ListSearch) => ListSearch, replace: boolean) => void;
  query: UseQueryResult<{ rows: readonly Letter[]; total: number }>;
};

/** A list of what people wrote to us, newest first, and beside it the one that is open. */
export function FeedbackScreen({ kind, to, search, onSearch, query }: Props) {
  const t = useTexts(adminFeedback);
  const { rows: letters = [], total = 0 } = query.data ?? {};
  const { reviewed, next, close } = useQueue(letters, search, onSearch);
  const retry = () => void query.refetch();
  const heading = t(`${kind}s`);
  return (
    <QueuePage
      title={t(`${kind}sPage`)}
      heading={heading}
      page={search.page ?? 1}
      list={query.data ? { rows: letters.length, pages: Math.ceil(total / QUEUE_PAGE_SIZE) } : null}
      totals={null}
      stale={query.data && query.isError ? { asOf: query.dataUpdatedAt, retry } : null}
      failed={query.isLoadingError ? { error: query.error, fallback: t(`${kind}sFailed`), retry } : null}
      table={
        <QueueRows words label={heading} heads={[t('from'), t('words'), t('email'), t('received')]}>
          {letters.map((letter) => (
            <Line key={letter._id} letter={letter} to={to} selected={letter._id === search.review} />
          ))}
        </QueueRows>
      }
      empty={<EmptyState title={t(`${kind}sEmpty`)} />}
      onPage={(page, replace = false) =>
        onSearch((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace)
      }
    >
      {reviewed ? (
        <FeedbackReview key={reviewed.row._id} letter={reviewed.row} eyebrow={t(kind)} onNext={next} onClose={close} />
      ) : null}
    </QueuePage>
  );
}
