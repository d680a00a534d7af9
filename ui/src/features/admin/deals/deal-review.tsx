import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Deal, DealDetail } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { isOpen } from '@/entities/deal/status';
import { shortId, titleOf } from '@/entities/deal/title';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { api, idempotent, send } from '@/lib/api';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { ageText } from '../queue/queue-rows';
import { Drawer } from '../review/drawer';
import { NextButton, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { useShortcuts } from '../shortcuts/shortcuts';
import { DealFacts, Timeline } from './deal-parts';
import { adminDealQuery } from './queries';

type Decision = 'complete' | 'cancel';

/** An admin's actions on a deal. `keep` takes the deal of each response. */
function useDealReview(row: Deal, keep: (deal: Deal) => void) {
  const queryClient = useQueryClient();
  const me = useMe();
  const detail = useQuery(adminDealQuery(row._id));
  const deal: Deal = detail.data ?? row;
  const own = deal.buyer._id === me._id || deal.seller._id === me._id;
  const open = isOpen(deal.status);
  const inFlight = detail.data?.operation !== undefined;
  const review = useReview<DealDetail, { act: Decision }>({
    list: keys.adminDeals,
    name: 'deal',
    row: { _id: row._id, status: open ? 'pending' : deal.status, user: { _id: own ? me._id : '' } },
    onRow: (fresh) => {
      queryClient.setQueryData(keys.deal(row._id), fresh);
      keep(fresh);
    },
    call: ({ act }, key) => {
      const options = { params: { path: { id: row._id } }, headers: idempotent(key) };
      return act === 'complete'
        ? send(api.POST('/admin/deals/complete/{id}', options))
        : send(api.POST('/admin/deals/cancel/{id}', options));
    },
    success: (_, act) => translate(admin, act === 'complete' ? 'toast.dealCompleted' : 'toast.dealCancelled'),
    failure: (_, act) => translate(admin, act === 'complete' ? 'toast.dealCompleteFailed' : 'toast.dealCancelFailed'),
    outcome: (_, { act }) => {
      const parties = { buyer: deal.buyer.username, seller: deal.seller.username };
      return act === 'complete'
        ? translate(admin, 'complete.done', { ...parties, payout: usd(centsFromWire(deal.payout)) })
        : translate(admin, 'refund.done', { ...parties, price: usd(centsFromWire(deal.price)) });
    },
    // On a conflict, shows the current state and the server's reason.
    refusals: ['already_handled', 'conflict'],
  });
  return {
    deal,
    detail,
    review,
    own: own && open,
    mayAct: open && !own && review.outcome === null,
    inFlight,
    busy: review.busy || inFlight,
  };
}

/** Why an admin must look: a disabled party, the deal's clock, or a hold by support. */
function DealNotes({ deal }: { deal: Deal }) {
  const t = useTexts(admin);
  const disabled = deal.suspended
    ? [deal.buyerSuspended && deal.buyer, deal.sellerSuspended && deal.seller].filter((p) => p !== false)
    : [];
  return (
    <>
      {deal.escalated ? <Note kind="wait">{t('note.escalated')}</Note> : null}
      {disabled.map(({ _id, username }) => (
        <Note key={_id} kind="wait">
          {t('note.suspended', { name: username })}
        </Note>
      ))}
      {deal.frozen && !deal.suspended ? (
        <Note kind="info">
          {t('note.frozen')} <Link to="/admin/disputes">{t('disputes')}</Link>,{' '}
          <Link to="/admin/support-requests">{t('support')}</Link>
        </Note>
      ) : null}
    </>
  );
}

type Props = {
  row: Deal;
  keep: (deal: Deal) => void;
  onNext: (() => void) | null;
  onClose: () => void;
};

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

export default function DealReview({ row, keep, onNext, onClose }: Props) {
  const t = useTexts(admin);
  const now = useNow();
  const tCommon = useTexts(common);
  const { deal, detail, review, own, mayAct, inFlight, busy } = useDealReview(row, keep);
  const [asked, setAsked] = useState<Decision | null>(null);
  const decisions = useDecisions(deal);
  const buttonOf = (decision: Decision) => ({
    pending: review.act === decision,
    disabled: busy && review.act !== decision,
    pendingText: tCommon(review.processing || inFlight ? 'processing' : 'sending'),
  });
  const ask = (decision: Decision) => {
    review.forgetRefusal();
    setAsked(decision);
  };
  useShortcuts(mayAct && !busy ? { c: () => ask('complete'), r: () => ask('cancel') } : {});
  const open = (decision: Decision) => ({
    open: asked === decision && mayAct && review.refused === null,
    onClose: () => setAsked(null),
    title: decisions[decision].ask,
    text: decisions[decision].text,
  });
  const foot = mayAct ? (
    <>
      <PendingButton
        variant="seal"
        size="sm"
        className="min-w-0 flex-1"
        {...buttonOf('complete')}
        onClick={() => ask('complete')}
      >
        {decisions.complete.label}
      </PendingButton>
      <PendingButton variant="destructive" {...buttonOf('cancel')} onClick={() => ask('cancel')}>
        <Undo2 aria-hidden="true" />
        {decisions.cancel.label}
      </PendingButton>
    </>
  ) : (
    review.outcome !== null && onNext && <NextButton onNext={onNext} />
  );
  return (
    <Drawer
      row={row._id}
      said={review.outcome ?? review.refused}
      eyebrow={t('review.deal', { id: shortId(deal._id), age: ageText(t, now - Date.parse(deal.createdAt)) })}
      title={titleOf(deal.description) || shortId(deal._id)}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={review.outcome} refused={review.refused} />
      {own ? <Note kind="wait">{t('note.own')}</Note> : null}
      {inFlight ? <Note kind="wait">{t('processing')}</Note> : null}
      <DealNotes deal={deal} />
      <DealFacts deal={deal} />
      <Timeline deal={detail.data} failed={detail.isLoadingError} />
      <ConfirmDialog
        {...open('complete')}
        focusAction
        action={
          <PendingButton variant="seal" size="sm" {...buttonOf('complete')} onClick={() => review.run({ act: 'complete' })}>
            {decisions.complete.label}
          </PendingButton>
        }
      />
      <ConfirmDialog
        {...open('cancel')}
        focusAction
        action={
          <PendingButton variant="destructive" {...buttonOf('cancel')} onClick={() => review.run({ act: 'cancel' })}>
            <Undo2 aria-hidden="true" />
            {decisions.cancel.label}
          </PendingButton>
        }
      />
    </Drawer>
  );
}
