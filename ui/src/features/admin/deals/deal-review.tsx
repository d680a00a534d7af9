import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Deal, DealDetail } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { CopyButton } from '@/components/copy-button';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts, Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { isOpen } from '@/entities/deal/status';
import { StatusBadge } from '@/entities/deal/status-badge';
import { eventText } from '@/entities/deal/timeline';
import { shortId, titleOf } from '@/entities/deal/title';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { book } from '@/i18n/en/deal-page';
import { api, idempotent, send } from '@/lib/api';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { ageText } from '../queue/queue-rows';
import { Drawer } from '../review/drawer';
import { NextButton, PersonLink, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { useShortcuts } from '../shortcuts/shortcuts';
import { nextActionOf } from './next-action';
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

type Row = readonly [string, ReactNode];

function useDealRows(deal: Deal): Row[] {
  const t = useTexts(admin);
  const moment = (label: 'created' | 'paidAt' | 'deliveredAt' | 'due' | 'exit', at: string | null): Row[] =>
    at === null ? [] : [[t(label), formatTime(at, 'moment')]];
  const next = nextActionOf(t, deal);
  const request: Row[] = deal.cancellationRequested
    ? [[t('request'), t('request.open')]]
    : deal.cancellationDeclined
      ? [[t('request'), t('request.declined')]]
      : [];
  const back: Row[] = deal.refund === null ? [] : [[t('refunded'), usd(centsFromWire(deal.refund))]];
  return [
    [t('buyer'), <PersonLink key="buyer" person={deal.buyer} />],
    [t('seller'), <PersonLink key="seller" person={deal.seller} />],
    [t('price'), usd(centsFromWire(deal.price))],
    [t('feeAndPayout'), `${usd(centsFromWire(deal.fee))} · ${usd(centsFromWire(deal.payout))}`],
    ...back,
    ...moment('created', deal.createdAt),
    ...moment('paidAt', deal.activatedAt),
    ...moment('due', deal.closedAt === null ? deal.dueAt : null),
    ...moment('deliveredAt', deal.deliveredAt),
    ...moment('exit', deal.exitAt),
    ...request,
    [t(deal.closedAt === null ? 'next' : 'closed'), next.when === null ? next.what : `${next.what}, ${next.when}`],
  ];
}

function DealFacts({ deal }: { deal: Deal }) {
  const t = useTexts(admin);
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-3">
        <StatusBadge status={deal.status} />
        <CopyButton value={deal._id} label={t('copy.dealId')} done={t('dealIdCopied')}>
          {t('copyDealId')}
        </CopyButton>
      </div>
      <Facts rows={useDealRows(deal)} />
      {titleOf(deal.description).length < deal.description.trim().length - 1 ? (
        <p className="overflow-clip wrap-anywhere whitespace-pre-line">{deal.description}</p>
      ) : null}
    </>
  );
}

/** The events, newest first. Unknown kinds have the server's text. */
function Timeline({ deal, failed }: { deal: DealDetail | undefined; failed: boolean }) {
  const t = useTexts(admin);
  const tBook = useTexts(book);
  return (
    <Section title={t('timeline')} size="small">
      {failed ? <p className="text-sm text-muted-foreground">{t('timelineFailed')}</p> : null}
      {deal ? (
        <ol className="grid gap-2.5 text-md">
          {deal.timeline.toReversed().map((entry) => (
            <li key={entry._id}>
              {eventText(entry, [deal.buyer, deal.seller], tBook) ?? entry.message}
              {entry.note ? <q className="block overflow-clip wrap-anywhere whitespace-pre-line">{entry.note}</q> : null}
              {entry.pictures.length > 0 ? (
                <DealPictures pictures={entry.pictures} from={entry.actor?.username ?? ''} className="my-1" />
              ) : null}
              <time className="block text-sm text-muted-foreground" dateTime={entry.at}>
                {formatTime(entry.at, 'moment')}
              </time>
            </li>
          ))}
        </ol>
      ) : (
        !failed && <Skeleton className="h-24" />
      )}
    </Section>
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
