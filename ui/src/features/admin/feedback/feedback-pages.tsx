import { getRouteApi } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { EmptyState } from '@/components/empty-state';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { adminFeedback } from '@/i18n/en/admin';
import { formatTime } from '@/lib/time';
import type { ListSearch } from '../admin-search';
import { QueuePage, RowLink } from '../queue/queue-page';
import { QueueCell, QueueRow, QueueRows } from '../queue/queue-rows';
import { type AdminList, useAdminList, useRowReview } from '../queue/use-admin-list';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/review-parts';
import { bugReportsQuery, contactMessagesQuery, type FeedbackEntry } from './queries';

type Props = { entry: FeedbackEntry; eyebrow: string; onNext: (() => void) | null; onClose: () => void };

function FeedbackReview({ entry, eyebrow, onNext, onClose }: Props) {
  const t = useTexts(adminFeedback);
  const { _id, username, name, email, text, createdAt } = entry;
  const subject = entry.subject || t('contactBy', { name });
  const answer = email ? `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(t('answerTo', { subject }))}` : null;
  const known = [
    [t('username'), username || t('notSignedIn')],
    ...(name && name !== username ? [[t('name'), name] as const] : []),
    ...(email ? [[t('email'), email] as const] : []),
    [t('received'), formatTime(createdAt, 'moment')],
  ] as const;
  return (
    <Drawer
      row={_id}
      eyebrow={eyebrow}
      title={subject}
      foot={
        answer || onNext ? (
          <>
            {answer ? (
              <Button className="min-w-0 flex-1" asChild>
                <a href={answer}>
                  <Mail aria-hidden="true" />
                  {t('answer')}
                </a>
              </Button>
            ) : null}
            <NextButton onNext={onNext} plain />
          </>
        ) : null
      }
      onClose={onClose}
    >
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{text}</p>
      <Facts rows={known} />
    </Drawer>
  );
}

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

type FeedbackScreenProps = { kind: 'bug' | 'contact'; to: FeedbackPath; list: AdminList<ListSearch, FeedbackEntry> };

function FeedbackScreen({ kind, to, list }: FeedbackScreenProps) {
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

const bugReportsRoute = getRouteApi('/_admin/admin/bug-reports');

export function BugReportsPage() {
  return (
    <FeedbackScreen
      kind="bug"
      to="/admin/bug-reports"
      list={useAdminList({
        search: bugReportsRoute.useSearch(),
        navigate: bugReportsRoute.useNavigate(),
        query: bugReportsQuery,
      })}
    />
  );
}

const contactMessagesRoute = getRouteApi('/_admin/admin/contact-messages');

export function ContactMessagesPage() {
  return (
    <FeedbackScreen
      kind="contact"
      to="/admin/contact-messages"
      list={useAdminList({
        search: contactMessagesRoute.useSearch(),
        navigate: contactMessagesRoute.useNavigate(),
        query: contactMessagesQuery,
      })}
    />
  );
}
