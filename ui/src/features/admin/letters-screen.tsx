import type { UseQueryResult } from '@tanstack/react-query';
import { Empty } from '@/components/ui/empty';
import { useTexts } from '@/i18n';
import { adminFeedback } from '@/i18n/en/admin-feedback';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import type { Letter } from './feedback-queries';
import { LetterReview } from './letter-review';
import type { ListSearch } from './list-search';
import { PAGE_SIZE } from './queries';
import { RowLink } from './queue-links';
import { QueuePage } from './queue-page';
import { QueueRows } from './queue-table';
import { useQueue } from './use-queue';

type LettersPath = '/admin/bug-reports' | '/admin/contact-messages';
type LineProps = { letter: Letter; to: LettersPath; selected: boolean };

function Line({ letter, to, selected }: LineProps) {
  const t = useTexts(adminFeedback);
  return (
    <tr className={cn('qrow', selected && 'sel')}>
      <td>
        <RowLink to={to} id={letter._id}>
          <b className="b">{letter.username || letter.name || t('visitor')}</b>
        </RowLink>
        {letter.username ? null : <span className="m t14 block">{t('notSignedIn')}</span>}
      </td>
      <td>
        {letter.subject ? <b className="b clip block">{letter.subject}</b> : null}
        <span className="twolines">{letter.text}</span>
      </td>
      <td className="end t14">
        <span className="clip block">{letter.email}</span>
      </td>
      <td className="end num t14">{formatTime(letter.createdAt, 'moment')}</td>
    </tr>
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
export function LettersScreen({ kind, to, search, onSearch, query }: Props) {
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
      list={query.data ? { rows: letters.length, pages: Math.ceil(total / PAGE_SIZE) } : null}
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
      empty={<Empty title={t(`${kind}sEmpty`)} />}
      onPage={(page, replace = false) =>
        onSearch((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace)
      }
    >
      {reviewed ? (
        <LetterReview key={reviewed.row._id} letter={reviewed.row} eyebrow={t(kind)} onNext={next} onClose={close} />
      ) : null}
    </QueuePage>
  );
}
