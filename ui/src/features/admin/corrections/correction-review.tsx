import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheckBig, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Correction } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { admin, adminCorrections } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { api, idempotent, send } from '@/lib/api';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { ageText } from '../queue/queue-rows';
import { Drawer } from '../review/drawer';
import { ReasonDialog } from '../review/reason-dialog';
import { NextButton, PersonLink, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { CorrectionBadge, movedCents, signedUsd } from './correction-parts';
import { correctionQuery } from './queries';

type Decision = { act: 'confirm' | 'withdraw' } | { act: 'reject'; reason: string };
const OUTCOMES = { confirm: 'outcome.confirmed', reject: 'outcome.rejected', withdraw: 'outcome.withdrawn' } as const;

function useCorrectionReview(row: Correction, keep: (row: Correction) => void) {
  const queryClient = useQueryClient();
  const me = useMe()._id;
  const now = useNow();
  // Refetches of the lists do not update a row that has left them.
  const shown = useQuery({ ...correctionQuery(row._id), initialData: row }).data;
  const params = { path: { id: row._id } };
  const review = useReview<Correction, Decision>({
    list: keys.adminCorrections,
    name: 'correction',
    row: { _id: row._id, status: shown.status === 'open' ? 'pending' : shown.status, user: shown.user },
    onRow: (fresh) => {
      keep(fresh);
      queryClient.setQueryData(correctionQuery(row._id).queryKey, fresh);
    },
    call: (decision, key) => {
      if (decision.act === 'confirm') {
        return send(api.POST('/admin/corrections/{id}/confirm', { params, headers: idempotent(key) }));
      }
      return decision.act === 'reject'
        ? send(api.POST('/admin/corrections/{id}/reject', { params, body: { reason: decision.reason } }))
        : send(api.POST('/admin/corrections/{id}/withdraw', { params }));
    },
    success: (_, act) => translate(adminCorrections, act === 'confirm' ? 'toast.confirmed' : OUTCOMES[act]),
    failure: () => translate(adminCorrections, 'toast.failed'),
    outcome: (_, { act }) => translate(adminCorrections, OUTCOMES[act], { name: row.user.username }),
  });
  const open = review.waits;
  const { own } = review.claim;
  const mine = shown.proposedBy?._id === me;
  const over = open && now >= Date.parse(shown.expiresAt);
  const after = centsFromWire(shown.balance) + movedCents(shown);
  const idle = open && shown.operation === undefined;
  return {
    shown,
    outcome: review.outcome,
    refused: review.refused,
    open,
    own,
    mine,
    over,
    after,
    mayConfirm: idle && !own && !mine && !over && after >= 0,
    mayReject: idle && !own && !mine,
    mayWithdraw: idle && mine,
    busy: review.busy,
    decide: review.runAsync,
  };
}

type Props = { row: Correction; keep: (row: Correction) => void; onNext: (() => void) | null; onClose: () => void };

function About({ row, after }: { row: Correction; after: number }) {
  const t = useTexts(adminCorrections);
  return (
    <>
      <p>
        <CorrectionBadge status={row.status} />
      </p>
      <Facts
        rows={[
          [t('user'), <PersonLink key="user" person={row.user} />],
          [t('amount'), signedUsd(movedCents(row))],
          [t('balanceNow'), usd(centsFromWire(row.balance))],
          ...(row.status === 'open' && after >= 0 ? [[t('balanceAfter'), usd(after)] as const] : []),
          [t('reason'), row.reason],
          ...(row.note ? [[t('note'), row.note] as const] : []),
          [t('proposedBy'), row.proposedBy ? <PersonLink key="by" person={row.proposedBy} /> : t('operator')],
          ...(row.status === 'open' ? [[t('expires'), formatTime(row.expiresAt, 'moment')] as const] : []),
          ...(row.decidedBy ? [[t('decidedBy'), <PersonLink key="decided" person={row.decidedBy} />] as const] : []),
          ...(row.decidedAt ? [[t('decidedAt'), formatTime(row.decidedAt, 'moment')] as const] : []),
          ...(row.decision ? [[t('decision'), row.decision] as const] : []),
        ]}
      />
    </>
  );
}

/** A correction with the balance before and after. Another admin than its author decides. */
export default function CorrectionReview({ row, keep, onNext, onClose }: Props) {
  const t = useTexts(adminCorrections);
  const tAdmin = useTexts(admin);
  const tCommon = useTexts(common);
  const now = useNow();
  const state = useCorrectionReview(row, keep);
  const [asked, setAsked] = useState<'confirm' | 'reject' | 'withdraw' | null>(null);
  const { shown, open, busy } = state;
  const names = { name: shown.user.username, sum: usd(centsFromWire(shown.amount)) };
  const done = () => setAsked(null);
  const actions = state.mayReject || state.mayWithdraw;
  const foot = actions ? (
    <>
      {state.mayConfirm ? (
        <PendingButton className="min-w-0 flex-1" pending={busy} onClick={() => setAsked('confirm')}>
          <CircleCheckBig aria-hidden="true" /> {t('confirm')}
        </PendingButton>
      ) : null}
      {state.mayReject ? (
        <Button variant="outline" className="min-w-0 flex-1" disabled={busy} onClick={() => setAsked('reject')}>
          {t('reject')}
        </Button>
      ) : null}
      {state.mayWithdraw ? (
        <Button variant="outline" className="min-w-0 flex-1" disabled={busy} onClick={() => setAsked('withdraw')}>
          <Undo2 aria-hidden="true" /> {t('withdraw')}
        </Button>
      ) : null}
    </>
  ) : (
    onNext && <NextButton onNext={onNext} />
  );
  return (
    <Drawer
      row={row._id}
      said={state.outcome ?? state.refused}
      eyebrow={
        open ? tAdmin('review.waiting', { what: t('one'), age: ageText(tAdmin, now - Date.parse(shown.proposedAt)) }) : t('one')
      }
      title={signedUsd(movedCents(shown))}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={state.outcome} refused={state.refused} />
      {open && state.own ? <Note kind="wait">{t('own')}</Note> : null}
      {open && state.mine ? <Note kind="wait">{t('yours')}</Note> : null}
      {open && shown.operation !== undefined ? <Note kind="wait">{t('confirming')}</Note> : null}
      {open && state.over ? <Note kind="wait">{t('over')}</Note> : null}
      {open && state.after < 0 ? <Note kind="bad">{t('short')}</Note> : null}
      <About row={shown} after={state.after} />
      <ConfirmDialog
        open={asked === 'confirm' && state.mayConfirm}
        onClose={done}
        title={t(shown.direction === 'debit' ? 'confirm.askDebit' : 'confirm.askCredit', names)}
        text={t('confirm.text', names)}
        focusAction
        action={
          <PendingButton
            pending={busy}
            pendingText={tCommon('processing')}
            onClick={() => void state.decide({ act: 'confirm' }).finally(done)}
          >
            <CircleCheckBig aria-hidden="true" /> {t('confirm')}
          </PendingButton>
        }
      />
      <ReasonDialog
        open={asked === 'reject' && state.mayReject}
        onClose={done}
        title={t('reject.ask')}
        text={t('reject.text', names)}
        field={{ label: t('reject.label') }}
        missing={t('reject.missing')}
        action={t('reject')}
        busy={busy}
        onAnswer={(reason) => void state.decide({ act: 'reject', reason }).finally(done)}
      />
      <ConfirmDialog
        open={asked === 'withdraw' && state.mayWithdraw}
        onClose={done}
        title={t('withdraw.ask')}
        text={t('withdraw.text')}
        focusAction
        action={
          <PendingButton pending={busy} onClick={() => void state.decide({ act: 'withdraw' }).finally(done)}>
            <Undo2 aria-hidden="true" /> {t('withdraw')}
          </PendingButton>
        }
      />
    </Drawer>
  );
}
