import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Deal } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { shortId, titleOf } from '@/entities/deal/title';
import type { MoneyPhase } from '@/entities/wallet/operations';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { ageText } from '../queue/age';
import { ConfirmDialog } from '../review/confirm-dialog';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import { Result } from '../review/review-parts';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { DealFacts, DealNotes, Timeline } from './deal-facts';
import { useDealReview } from './use-deal-review';

type Props = {
  row: Deal;
  keep: (deal: Deal) => void;
  onNext: (() => void) | null;
  onClose: () => void;
};

type Decision = 'complete' | 'cancel';

function useDecisions(deal: Deal) {
  const t = useTexts(admin);
  const sums = {
    buyer: deal.buyer.username,
    seller: deal.seller.username,
    price: usd(centsFromWire(deal.price)),
    fee: usd(centsFromWire(deal.fee)),
    payout: usd(centsFromWire(deal.payout)),
  };
  return {
    complete: { label: t('complete', sums), ask: t('complete.ask'), text: t('complete.askText', sums) },
    cancel: { label: t('refund', sums), ask: t('refund.ask'), text: t('refund.askText', sums) },
  };
}

type ActProps = { label: string; phase: MoneyPhase; inFlight: boolean; busy: boolean };

function useBusy({ phase, inFlight, busy }: Omit<ActProps, 'label'>) {
  const t = useTexts(common);
  return {
    pending: phase !== 'idle',
    disabled: busy && phase === 'idle',
    pendingText: t(phase === 'processing' || inFlight ? 'processing' : 'sending'),
  };
}

export default function DealReview({ row, keep, onNext, onClose }: Props) {
  const t = useTexts(admin);
  const now = useNow();
  const { deal, detail, complete, cancel, forget, state } = useDealReview(row, keep);
  const [asked, setAsked] = useState<Decision | null>(null);
  const decisions = useDecisions(deal);
  const busyComplete = useBusy({ phase: state.completing, inFlight: state.inFlight, busy: state.busy });
  const busyCancel = useBusy({ phase: state.cancelling, inFlight: state.inFlight, busy: state.busy });
  const ask = (decision: Decision) => {
    forget();
    setAsked(decision);
  };
  useShortcuts(state.mayAct && !state.busy ? { c: () => ask('complete'), r: () => ask('cancel') } : {});
  const open = (decision: Decision) => ({
    open: asked === decision && state.mayAct && state.refused === null,
    onOpenChange: (wanted: boolean) => setAsked(wanted ? decision : null),
    title: decisions[decision].ask,
    text: decisions[decision].text,
  });
  const foot = state.mayAct ? (
    <>
      <PendingButton variant="seal" size="sm" className="min-w-0 flex-1" {...busyComplete} onClick={() => ask('complete')}>
        {decisions.complete.label}
      </PendingButton>
      <PendingButton variant="destructive" {...busyCancel} onClick={() => ask('cancel')}>
        <Undo2 aria-hidden="true" />
        {decisions.cancel.label}
      </PendingButton>
    </>
  ) : (
    state.outcome !== null && onNext && <NextButton onNext={onNext} />
  );
  return (
    <Drawer
      row={row._id}
      said={state.outcome ?? state.refused}
      eyebrow={t('review.deal', { id: shortId(deal._id), age: ageText(t, now - Date.parse(deal.createdAt)) })}
      title={titleOf(deal.description) || shortId(deal._id)}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={state.outcome} refused={state.refused} />
      {state.own ? <Note kind="wait">{t('note.own')}</Note> : null}
      {state.inFlight ? <Note kind="wait">{t('processing')}</Note> : null}
      <DealNotes deal={deal} />
      <DealFacts deal={deal} />
      <Timeline deal={detail.data} failed={detail.isLoadingError} />
      <ConfirmDialog
        {...open('complete')}
        act={(focus) => (
          <PendingButton ref={focus} variant="seal" size="sm" {...busyComplete} onClick={complete}>
            {decisions.complete.label}
          </PendingButton>
        )}
      />
      <ConfirmDialog
        {...open('cancel')}
        act={(focus) => (
          <PendingButton ref={focus} variant="destructive" {...busyCancel} onClick={cancel}>
            <Undo2 aria-hidden="true" />
            {decisions.cancel.label}
          </PendingButton>
        )}
      />
    </Drawer>
  );
}
