import { CircleCheckBig, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Adjustment } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminAdjustments } from '@/i18n/en/admin-adjustments';
import { common } from '@/i18n/en/common';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { ageText } from '../queue/age';
import { ConfirmDialog } from '../review/confirm-dialog';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import { PersonLink } from '../review/person-link';
import { ReasonDialog } from '../review/reason-dialog';
import { Result } from '../review/review-parts';
import { AdjustmentBadge, movedCents, signedUsd } from './adjustment-parts';
import { useAdjustmentReview } from './use-adjustment-review';

type Props = { row: Adjustment; keep: (row: Adjustment) => void; onNext: (() => void) | null; onClose: () => void };

function About({ row, after }: { row: Adjustment; after: number }) {
  const t = useTexts(adminAdjustments);
  return (
    <>
      <p>
        <AdjustmentBadge status={row.status} />
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
export default function AdjustmentReview({ row, keep, onNext, onClose }: Props) {
  const t = useTexts(adminAdjustments);
  const tAdmin = useTexts(admin);
  const tCommon = useTexts(common);
  const now = useNow();
  const state = useAdjustmentReview(row, keep);
  const [asked, setAsked] = useState<'confirm' | 'reject' | 'withdraw' | null>(null);
  const { shown, open, busy } = state;
  const names = { name: shown.user.username, sum: usd(centsFromWire(shown.amount)) };
  const toggle = (what: typeof asked) => (wanted: boolean) => setAsked(wanted ? what : null);
  const done = () => setAsked(null);
  const actions = state.mayReject || state.mayWithdraw;
  const foot = actions ? (
    <>
      {state.mayConfirm ? (
        <PendingButton
          className="min-w-0 flex-1"
          pending={busy}
          pendingText={tCommon('sending')}
          onClick={() => setAsked('confirm')}
        >
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
        onOpenChange={toggle('confirm')}
        title={t(shown.direction === 'debit' ? 'confirm.askDebit' : 'confirm.askCredit', names)}
        text={t('confirm.text', names)}
        act={(focus) => (
          <PendingButton
            ref={focus}
            pending={busy}
            pendingText={tCommon('processing')}
            onClick={() => void state.decide({ act: 'confirm' }).finally(done)}
          >
            <CircleCheckBig aria-hidden="true" /> {t('confirm')}
          </PendingButton>
        )}
      />
      <ReasonDialog
        open={asked === 'reject' && state.mayReject}
        onOpenChange={toggle('reject')}
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
        onOpenChange={toggle('withdraw')}
        title={t('withdraw.ask')}
        text={t('withdraw.text')}
        act={(focus) => (
          <PendingButton
            ref={focus}
            pending={busy}
            pendingText={tCommon('sending')}
            onClick={() => void state.decide({ act: 'withdraw' }).finally(done)}
          >
            <Undo2 aria-hidden="true" /> {t('withdraw')}
          </PendingButton>
        )}
      />
    </Drawer>
  );
}
