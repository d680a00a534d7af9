import { useQuery } from '@tanstack/react-query';
import { Gavel } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AdminCase } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminReports } from '@/i18n/en/admin-reports';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { ageText } from '../queue/age';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import { ClaimNote, Result } from '../review/review-parts';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { Around, Evidence, History, Reports } from './case-parts';
import { type Asked, CaseQuestions } from './case-questions';
import { caseQuery, waitingSince } from './queries';
import { useCaseReview } from './use-case-review';

/** A case is loaded after this pause, so that passing by with J and K does not. */
const LOAD_DELAY = 300;

type Props = {
  row: AdminCase;
  listed: boolean;
  keep: (row: AdminCase) => void;
  place: { position: number; total: number } | null;
  onNext: (() => void) | null;
  onClose: () => void;
};

function useLoadDelay(): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), LOAD_DELAY);
    return () => clearTimeout(timer);
  }, []);
  return rested;
}

function Decided({ row }: { row: AdminCase }) {
  const t = useTexts(adminReports);
  const tAdmin = useTexts(admin);
  const { action, reason, until, decidedAt, decidedBy, appeal, accused } = row;
  if (action === '' || decidedAt === null) return null;
  return (
    <>
      {appeal ? (
        <Section title={t('appeal', { name: accused.username })} size="small">
          <p className="overflow-clip wrap-anywhere whitespace-pre-line">{appeal.text}</p>
          <Facts
            rows={[
              [t('appealSent'), formatTime(appeal.createdAt, 'moment')],
              ...(appeal.answer === '' ? [] : [[t('appealAnswer'), appeal.answer] as const]),
            ]}
          />
        </Section>
      ) : null}
      <Section title={t('decision')} size="small">
        <Facts
          rows={[
            [t('decision'), t(`done.${appeal?.status === 'overturned' ? 'overturned' : action}`)],
            ...(until === null ? [] : [[t('until'), formatTime(until, 'moment')] as const]),
            [t('decidedBy'), tAdmin('handledBy', { when: formatTime(decidedAt, 'moment'), name: decidedBy })],
            ...(reason === '' ? [] : [[tAdmin('reasonGiven'), reason] as const]),
          ]}
        />
      </Section>
    </>
  );
}

function Detail({ id }: { id: string }) {
  const t = useTexts(adminReports);
  const query = useQuery({ ...caseQuery(id), enabled: useLoadDelay() });
  if (query.isLoadingError) {
    return <LoadFailed error={query.error} fallback={t('detailFailed')} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <Skeleton className="h-80" />;
  return (
    <>
      <Evidence detail={query.data} />
      <Reports detail={query.data} />
      <Around detail={query.data} />
      <History detail={query.data} />
    </>
  );
}

type FootProps = { row: AdminCase; busy: boolean; onAsk: (asked: Asked) => void };

/** A case about a closed account can only be dismissed. */
function Foot({ row, busy, onAsk }: FootProps) {
  const t = useTexts(adminReports);
  const [first, second] = row.status === 'appealed' ? (['uphold', 'overturn'] as const) : (['act', 'dismiss'] as const);
  return (
    <>
      {first === 'act' && row.accused.closed ? null : (
        <Button className="min-w-0 flex-1" disabled={busy} onClick={() => onAsk(first)}>
          {first === 'act' ? <Gavel aria-hidden="true" /> : null}
          {t(first)}
        </Button>
      )}
      <Button variant="outline" className="min-w-0 flex-1" disabled={busy} onClick={() => onAsk(second)}>
        {t(second)}
      </Button>
    </>
  );
}

export default function CaseReview({ row, listed, keep, place, onNext, onClose }: Props) {
  const t = useTexts(adminReports);
  const tAdmin = useTexts(admin);
  const now = useNow();
  const state = useCaseReview({ row, listed, keep });
  const [asked, setAsked] = useState<Asked | null>(null);
  const open = state.mayAct && !state.busy;
  const keysOf = (one: Asked) => () => setAsked(one);
  useShortcuts(
    !open
      ? {}
      : row.status === 'appealed'
        ? { u: keysOf('uphold'), o: keysOf('overturn') }
        : { ...(row.accused.closed ? {} : { a: keysOf('act') }), d: keysOf('dismiss') },
  );
  const kind = row.status === 'open' || row.status === 'appealed' ? row.status : 'decided';
  const what = place && kind !== 'decided' ? t(`place.${kind}`, place) : t(`plain.${kind}`);
  const eyebrow =
    kind === 'decided' ? what : tAdmin('review.waiting', { what, age: ageText(tAdmin, now - Date.parse(waitingSince(row))) });
  return (
    <Drawer
      row={row._id}
      said={state.outcome ?? state.refused}
      eyebrow={eyebrow}
      title={t(`title.${row.subject}`, { name: row.accused.username })}
      foot={state.mayAct ? <Foot row={row} busy={state.busy} onAsk={setAsked} /> : onNext ? <NextButton onNext={onNext} /> : null}
      onClose={onClose}
    >
      <Result outcome={state.outcome} refused={state.refused} />
      {state.waits && state.claim.own ? <Note kind="wait">{t('own')}</Note> : null}
      {state.waits && !state.claim.own ? <ClaimNote claim={state.claim} /> : null}
      <Decided row={row} />
      {state.claim.own ? null : <Detail id={row._id} />}
      <CaseQuestions row={row} asked={state.mayAct ? asked : null} onAsk={setAsked} state={state} />
    </Drawer>
  );
}
