import { queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig, Hourglass, OctagonAlert } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { Decision } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { Note } from '@/components/note';
import { Facts, Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { type Translate, useTexts } from '@/i18n';
import { decision as catalogue } from '@/i18n/en/decision';
import { api, send } from '@/lib/api';
import { formatTime } from '@/lib/time';

export const decisionQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.decisions, id] as const,
    queryFn: ({ signal }) => send(api.GET('/decisions/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });

/** Sends an appeal and returns the updated decision. Readers of a mailed link need no login. */
export type SendAppeal = (text: string) => Promise<{ decision: Decision }>;

type SentAppeal = NonNullable<Decision['appeal']>;

const LOOKS = {
  open: { kind: 'wait', icon: Hourglass },
  upheld: { kind: 'bad', icon: OctagonAlert },
  overturned: { kind: 'info', icon: CircleCheckBig },
} as const;

function Words({ title, text, when }: { title: string; text: string; when: string }) {
  return (
    <div className="border-t py-3">
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1 max-w-measure overflow-clip wrap-anywhere whitespace-pre-line">{text}</p>
      <p className="mt-1 text-sm text-muted-foreground">{when}</p>
    </div>
  );
}

/** An appeal just sent replaces its form and takes the focus, so that screen readers read it. */
function AppealState({ appeal, justSent }: { appeal: SentAppeal; justSent: boolean }) {
  const t = useTexts(catalogue);
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (justSent) heading.current?.focus({ preventScroll: true });
  }, [justSent]);
  const { kind, icon: Icon } = LOOKS[appeal.status];
  return (
    <div className="grid gap-4">
      <Note
        kind={kind}
        icon={<Icon aria-hidden="true" />}
        title={
          <span ref={heading} tabIndex={-1} className="focus:outline-none">
            {t(`appeal.${appeal.status}`)}
          </span>
        }
      >
        {t(`appeal.${appeal.status}Text`)}
      </Note>
      <div>
        {appeal.answer === '' || appeal.decidedAt === null ? null : (
          <Words
            title={t('answer')}
            text={appeal.answer}
            when={t('answeredOn', { when: formatTime(appeal.decidedAt, 'moment') })}
          />
        )}
        <Words title={t('yourWords')} text={appeal.text} when={t('sentOn', { when: formatTime(appeal.createdAt, 'moment') })} />
      </div>
    </div>
  );
}

const AppealForm = lazyPart(() => import('./appeal-form'));

export function decisionTitle(t: Translate<typeof catalogue>, { action, subject }: Decision): string {
  if (action === 'hide') return t(subject === 'review' ? 'title.hide.review' : 'title.hide.post');
  return t(`title.${action}`);
}

export function decisionMeaning(t: Translate<typeof catalogue>, { action, appeal, until }: Decision): string {
  if (appeal?.status === 'overturned') return t('overturned');
  if (action === 'suspend') return t('text.suspend', { when: until === null ? '' : formatTime(until, 'moment') });
  return t(`text.${action}`);
}

/** The moderated text at the time of the decision; users have none. */
function Excerpt({ decision }: { decision: Decision }) {
  const t = useTexts(catalogue);
  const { subject, subjectName: name, excerpt } = decision;
  if (excerpt === '') return null;
  return (
    <figure className="mt-4">
      <figcaption className="text-sm text-muted-foreground">{subject === 'post' ? t('as.post', { name }) : t('as')}</figcaption>
      <blockquote className="mt-1 max-w-measure overflow-clip border-l-2 border-border-strong pl-3 wrap-anywhere whitespace-pre-line">
        {excerpt}
      </blockquote>
    </figure>
  );
}

export function DecisionFacts({ decision, linked = false }: { decision: Decision; linked?: boolean }) {
  const t = useTexts(catalogue);
  const { subject, subjectId, reason, until, decidedAt } = decision;
  return (
    <>
      <Note kind="bad" title={t('why')}>
        <p className="overflow-clip wrap-anywhere whitespace-pre-line">{reason}</p>
      </Note>
      <div>
        <Facts
          rows={[
            [t('about'), t(`subject.${subject}`)],
            ...(until === null ? [] : [[t('until'), formatTime(until, 'moment')] as const]),
            [t('decided'), formatTime(decidedAt, 'moment')],
          ]}
        />
        <Excerpt decision={decision} />
        {linked && subject === 'post' ? (
          <Link to="/posts/$postId" params={{ postId: subjectId }} className={buttonVariants({ variant: 'link' })}>
            {t('toPost')}
          </Link>
        ) : null}
      </div>
    </>
  );
}

type AppealProps = { decision: Decision; send: SendAppeal; onSent: (decision: Decision) => void };

/** The appeal: its form, its status, or that it is too late. */
export function Appeal({ decision, send, onSent }: AppealProps) {
  const t = useTexts(catalogue);
  const [sent, setSent] = useState(false);
  const { appeal, canAppeal, appealUntil } = decision;
  return (
    <Section title={t('appeal')}>
      {appeal ? (
        <AppealState appeal={appeal} justSent={sent} />
      ) : canAppeal ? (
        <Suspense fallback={<Skeleton className="h-80" />}>
          <AppealForm
            decision={decision}
            send={send}
            onSent={(appealed) => {
              setSent(true);
              onSent(appealed);
            }}
          />
        </Suspense>
      ) : (
        <p className="text-muted-foreground">{t('appealOver', { when: formatTime(appealUntil, 'moment') })}</p>
      )}
    </Section>
  );
}
