import { useQuery } from '@tanstack/react-query';
import { Check, Gavel } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AdminCase } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { translate, useTexts } from '@/i18n';
import { admin, adminReports } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { claimOf } from '../queue/list-query';
import { ageText } from '../queue/queue-rows';
import { Drawer } from '../review/drawer';
import { ReasonDialog } from '../review/reason-dialog';
import { ClaimNote, NextButton, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { useShortcuts } from '../shortcuts/shortcuts';
import { ActDialog, type Verdict } from './act-dialog';
import { Around, Evidence, History, Reports } from './case-parts';
import { caseQuery, waitingSince } from './queries';

type Action = { act: 'decide'; verdict: Verdict } | { act: 'answer'; overturn: boolean; answer: string };

type Options = { row: AdminCase; listed: boolean; keep: (row: AdminCase) => void };

/** The claim of a case, its decision, and the answer to its appeal. */
function useCaseReview({ row, listed, keep }: Options) {
  const params = { path: { id: row._id } };
  const waits = row.status === 'open' || row.status === 'appealed';
  return useReview<AdminCase, Action>({
    list: keys.adminReports,
    name: 'case',
    row: { _id: row._id, claim: claimOf(row), user: row.accused, status: waits ? 'pending' : row.status },
    onRow: keep,
    claim: { listed, call: () => send(api.POST('/admin/reports/{id}/claim', { params })) },
    call: (action, key) => {
      const headers = idempotent(key);
      if (action.act === 'decide') {
        return send(api.POST('/admin/reports/{id}/decide', { params, body: action.verdict, headers }));
      }
      const body = { overturn: action.overturn, answer: action.answer };
      return send(api.POST('/admin/reports/{id}/appeal', { params, body, headers }));
    },
    success: (done, act) => outcomeText(done, translate(adminReports, act === 'decide' ? 'toast.decided' : 'toast.appeal')),
    failure: () => translate(adminReports, 'toast.failed'),
    outcome: (_, { act }) =>
      act === 'decide'
        ? translate(adminReports, 'outcome.decided')
        : translate(adminReports, 'outcome.appeal', { name: row.accused.username }),
  });
}

type Asked = 'act' | 'dismiss' | 'uphold' | 'overturn';

const MAX_ANSWER = 1000;

type QuestionsProps = {
  row: AdminCase;
  asked: Asked | null;
  onAsk: (asked: Asked | null) => void;
  busy: boolean;
  onAction: (action: Action) => void;
};

function CaseQuestions({ row, asked, onAsk, busy, onAction }: QuestionsProps) {
  const t = useTexts(adminReports);
  const name = row.accused.username;
  const of = (one: Asked) => ({ open: asked === one, onClose: () => onAsk(null) });
  const answered = {
    field: { label: t('answer', { name }), maxLength: MAX_ANSWER },
    missing: t('rule.answer'),
    variant: 'default' as const,
    busy,
  };
  return (
    <>
      <ActDialog {...of('act')} row={row} busy={busy} onDecide={(verdict) => onAction({ act: 'decide', verdict })} />
      <ConfirmDialog
        {...of('dismiss')}
        title={t('dismiss.ask')}
        text={t('dismiss.text', { name })}
        focusAction
        action={
          <PendingButton pending={busy} onClick={() => onAction({ act: 'decide', verdict: { action: 'dismiss', reason: '' } })}>
            <Check aria-hidden="true" />
            {t('dismiss')}
          </PendingButton>
        }
      />
      <ReasonDialog
        {...of('uphold')}
        {...answered}
        title={t('uphold.ask')}
        text={t('uphold.text', { name })}
        action={t('uphold')}
        onAnswer={(words) => onAction({ act: 'answer', overturn: false, answer: words })}
      />
      <ReasonDialog
        {...of('overturn')}
        {...answered}
        title={t('overturn.ask')}
        text={t('overturn.text', { name })}
        action={t('overturn')}
        onAnswer={(words) => onAction({ act: 'answer', overturn: true, answer: words })}
      />
    </>
  );
}

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
  return (
    <QueryPart query={query} failure={t('detailFailed')} skeleton={<Skeleton className="h-80" />}>
      {(detail) => (
        <>
          <Evidence detail={detail} />
          <Reports detail={detail} />
          <Around detail={detail} />
          <History detail={detail} />
        </>
      )}
    </QueryPart>
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
  const review = useCaseReview({ row, listed, keep });
  const [asked, setAsked] = useState<Asked | null>(null);
  const open = review.mayAct && !review.busy;
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
      said={review.outcome ?? review.refused}
      eyebrow={eyebrow}
      title={t(`title.${row.subject}`, { name: row.accused.username })}
      foot={
        review.mayAct ? <Foot row={row} busy={review.busy} onAsk={setAsked} /> : onNext ? <NextButton onNext={onNext} /> : null
      }
      onClose={onClose}
    >
      <Result outcome={review.outcome} refused={review.refused} />
      {review.waits && review.claim.own ? <Note kind="wait">{t('own')}</Note> : null}
      {review.waits && !review.claim.own ? <ClaimNote claim={review.claim} /> : null}
      <Decided row={row} />
      {review.claim.own ? null : <Detail id={row._id} />}
      <CaseQuestions row={row} asked={review.mayAct ? asked : null} onAsk={setAsked} busy={review.busy} onAction={review.run} />
    </Drawer>
  );
}
