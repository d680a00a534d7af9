import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Activity as Event } from '@/api/contract';
import { RetryLine } from '@/components/load-failed';
import { ShowMore } from '@/components/pager';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { useBrowserName } from '@/entities/user/browser-name';
import { useTexts } from '@/i18n';
import { activity } from '@/i18n/en/security';
import { browser as browsers } from '@/i18n/en/user';
import { formatTime } from '@/lib/time';
import { activityQuery } from './queries';

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

export default function Activity() {
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
