import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Activity as Event, Session } from '@/api/contract';
import { STACK } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { RetryLine } from '@/components/load-failed';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { useBrowserName } from '@/entities/user/browser-name';
import { SettingsHead } from '@/entities/user/settings-head';
import { translate, useTexts } from '@/i18n';
import { activity, security } from '@/i18n/en/security';
import { browser as browsers } from '@/i18n/en/user';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { formatTime } from '@/lib/time';
import { activityQuery, sessionsQuery } from './queries';
import { SecondFactorSection } from './second-factor';

const STEP = 6;

/** Events that point to somebody else. */
const ALARMING: readonly Event['kind'][] = ['login_failed', 'factor_failed', 'passkey_copied', 'reset_asked'];

function Line({ event }: { event: Event }) {
  const t = useTexts(activity);
  const tBrowser = useTexts(browsers);
  const browser = useBrowserName(event.userAgent) ?? tBrowser('unknown');
  return (
    <li className="border-b py-3 wrap-anywhere">
      <p className="flex items-start gap-2 font-semibold">
        {ALARMING.includes(event.kind) ? (
          <TriangleAlert className="mt-0.75 size-4.5 flex-none text-destructive" aria-hidden="true" />
        ) : null}
        {t(`kind.${event.kind}`)}
      </p>
      <p className="text-sm text-muted-foreground">
        {formatTime(event.at, 'moment')} · {browser} · <span className="lining-nums tabular-nums">{event.address}</span>
      </p>
    </li>
  );
}

function Activity() {
  const t = useTexts(activity);
  const list = useQuery(activityQuery);
  const [shown, setShown] = useState(STEP);
  return (
    <Section title={t('title')}>
      <p className="text-sm text-muted-foreground">{t('text')}</p>
      <QueryPart
        query={list}
        failure={({ onRetry }) => <RetryLine text={t('failed')} onRetry={onRetry} />}
        skeleton={<Skeleton className="mt-4 h-70" />}
      >
        {(events) => (
          <>
            <ul>
              {events.slice(0, shown).map((event) => (
                <Line key={event._id} event={event} />
              ))}
            </ul>
            <ShowMore
              rest={events.length - shown}
              step={STEP}
              busy={false}
              error={null}
              more={() => setShown((before) => before + STEP)}
            />
          </>
        )}
      </QueryPart>
    </Section>
  );
}

function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })),
    meta: { success: () => translate(security, 'ended'), fallback: () => translate(security, 'failed') },
    onSuccess: (_message, id) => forget(queryClient, id),
    // Ended meanwhile, elsewhere.
    onError: (error, id) => (isApiError(error, 'not_found') ? forget(queryClient, id) : undefined),
  });
}

function useEndOthers() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.DELETE('/auth/sessions')),
    meta: { success: () => translate(security, 'endedOthers'), fallback: () => translate(security, 'failed') },
    onSuccess: () =>
      queryClient.setQueryData<Session[]>(sessionsQuery.queryKey, (list) => list?.filter(({ current }) => current)),
  });
}

function forget(queryClient: QueryClient, id: string): void {
  queryClient.setQueryData<Session[]>(sessionsQuery.queryKey, (list) => list?.filter(({ _id }) => _id !== id));
}

function SessionLine({ session, end }: { session: Session; end: ReturnType<typeof useEndSession> }) {
  const t = useTexts(security);
  const tBrowser = useTexts(browsers);
  const name = useBrowserName(session.userAgent) ?? tBrowser('unknown');
  const when = t('lastSeen', { when: formatTime(session.lastSeenAt, 'moment') });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 wrap-anywhere">
      <p className="flex-[1_1_200px]">
        <b className="font-semibold">{name}</b>
        <br />
        <span className="text-sm text-muted-foreground">
          {when} · <span className="lining-nums tabular-nums">{session.address}</span>
        </span>
      </p>
      {session.current ? (
        <span className="inline-flex items-center gap-1 rounded-xs bg-secondary px-2.5 py-1 text-sm">{t('thisBrowser')}</span>
      ) : (
        <PendingButton
          variant="outline"
          pending={end.isPending && end.variables === session._id}
          aria-label={`${t('end')}: ${t('endOf', { browser: name, when })}`}
          onClick={() => end.mutate(session._id)}
        >
          {t('end')}
        </PendingButton>
      )}
    </li>
  );
}

/** The user's sessions. Any but the current one can be ended. */
function Sessions() {
  const t = useTexts(security);
  const list = useQuery(sessionsQuery);
  const end = useEndSession();
  const endOthers = useEndOthers();
  return (
    <Section title={t('sessions')}>
      <p className="text-sm text-muted-foreground">{t('sessionsText')}</p>
      <QueryPart
        query={list}
        failure={({ onRetry }) => <RetryLine text={t('sessionsFailed')} onRetry={onRetry} />}
        skeleton={<Skeleton className="mt-4 h-35" />}
      >
        {(sessions) => (
          <>
            <ul>
              {sessions.map((session) => (
                <SessionLine key={session._id} session={session} end={end} />
              ))}
            </ul>
            {sessions.filter(({ current }) => !current).length > 1 ? (
              <PendingButton variant="outline" className="mt-4" pending={endOthers.isPending} onClick={() => endOthers.mutate()}>
                {t('endOthers')}
              </PendingButton>
            ) : null}
          </>
        )}
      </QueryPart>
    </Section>
  );
}

// Their rules and drafts are two fifths of the page's code.
const PasswordForm = lazyPart(() => import('./password-form'));
const EmailSetting = lazyPart(() => import('./email-setting'));
const OwnData = lazyPart(() => import('./own-data'));

export function SecurityPage() {
  const t = useTexts(security);
  return (
    <Page title={t('title')}>
      <SettingsHead />
      <div className="grid gap-12 lg:grid-cols-2 lg:items-start">
        <div className={cn(STACK, 'gap-12')}>
          <SecondFactorSection />
          <Activity />
        </div>
        <div className={cn(STACK, 'gap-12')}>
          <div id="email">
            <Suspense fallback={<Skeleton className="h-34" />}>
              <EmailSetting />
            </Suspense>
          </div>
          <Suspense fallback={<Skeleton className="h-88" />}>
            <PasswordForm />
          </Suspense>
          <Sessions />
        </div>
      </div>
      <Suspense fallback={<Skeleton className="mt-12 h-100" />}>
        <OwnData />
      </Suspense>
    </Page>
  );
}
