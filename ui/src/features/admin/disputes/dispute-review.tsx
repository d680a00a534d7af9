import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Gavel } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { DealDispute, DisputeSummary } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Textarea } from '@/components/ui/textarea';
import { disputeQuery, putDispute } from '@/entities/deal/dispute/queries';
import { DisputeAppeal, DisputeDecision } from '@/entities/deal/dispute/split';
import { DisputeBadge, DisputeThread } from '@/entities/deal/dispute/thread';
import { shortId } from '@/entities/deal/title';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { admin, adminDisputes } from '@/i18n/en/admin';
import { disputeRoom } from '@/i18n/en/disputes';
import { api, idempotent, send } from '@/lib/api';
import { textDraft } from '@/lib/draft';
import { useKeyed } from '@/lib/idempotency';
import { centsFromWire, usd } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { claimOf } from '../queue/list-query';
import { ageText } from '../queue/queue-rows';
import { Drawer } from '../review/drawer';
import { ClaimNote, NextButton, PersonLink, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { useShortcuts } from '../shortcuts/shortcuts';
import { DecideDialog, MAX_LENGTH, type Verdict } from './decide-dialog';

type Options = { row: DisputeSummary; listed: boolean; keep: (row: DisputeSummary) => void };

/** The claim of a dispute, and the decisions on it and on its appeal. */
function useDisputeReview({ row, listed, keep }: Options) {
  const queryClient = useQueryClient();
  const me = useMe()._id;
  const detail = useQuery(disputeQuery(row._id));
  const dispute = detail.data;
  const status = dispute?.status ?? row.status;
  const waits = status === 'open' || status === 'appealed';
  const party = row.buyer._id === me || row.seller._id === me;
  // Another admin decides on an appeal.
  const decidedBefore = status === 'appealed' && (dispute ?? row).decision?.by._id === me;
  const params = { path: { id: row._id } };
  const review = useReview<DealDispute, Verdict & { act: 'decide' | 'decideAppeal' }>({
    list: keys.adminDisputes,
    name: 'dispute',
    row: {
      ...{ _id: row._id, claim: claimOf(dispute ?? row), user: { _id: party ? me : '' } },
      status: waits && !decidedBefore ? 'pending' : status,
    },
    onRow: (fresh) => {
      keep(fresh);
      putDispute(queryClient, fresh);
    },
    claim: { listed, call: () => send(api.POST('/admin/disputes/{id}/claim', { params })) },
    call: ({ act, ...body }, key) => {
      const options = { params, body, headers: idempotent(key) };
      return act === 'decide'
        ? send(api.POST('/admin/disputes/{id}/decide', options))
        : send(api.POST('/admin/disputes/{id}/appeal/decide', options));
    },
    success: () => translate(adminDisputes, 'toast.decided'),
    failure: () => translate(adminDisputes, 'toast.failed'),
    outcome: (_, { act }) => translate(adminDisputes, act === 'decide' ? 'outcome.decided' : 'outcome.final'),
  });
  return {
    detail,
    status,
    waits: waits && review.outcome === null && review.refused === null,
    party,
    decidedBefore,
    review,
    mayDecide: dispute !== undefined && dispute.operation === undefined && review.mayAct,
    decide: (verdict: Verdict) => review.runAsync({ act: status === 'appealed' ? 'decideAppeal' : 'decide', ...verdict }),
  };
}

const say = (key: Key<typeof adminDisputes>) => key;

const schema = z.object({
  text: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('message.missing'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_LENGTH, say('message.long')),
  ),
});

function AdminMessageForm({ id }: { id: string }) {
  const t = useTexts(adminDisputes);
  const me = useMe();
  const queryClient = useQueryClient();
  const params = { path: { id } };
  const write = useKeyed((text: string, key) =>
    send(api.POST('/disputes/{id}/messages', { params, body: { text, pictures: [] }, headers: idempotent(key) })),
  );
  const mutation = useMutation({
    mutationFn: (text: string) => write(text),
    meta: {
      success: () => translate(adminDisputes, 'toast.sent'),
      fallback: () => translate(adminDisputes, 'toast.sendFailed'),
    },
    onSuccess: ({ dispute }) => putDispute(queryClient, dispute),
  });
  const { form, submit, errorOf } = useDraftForm({
    schema,
    t,
    empty: { text: '' },
    draft: textDraft(`dispute-admin:${me._id}:${id}`),
    toast: null,
    mutation,
    onSubmit: ({ text }, { reset }) => mutation.mutateAsync(text).then(() => reset({ text: '' })),
  });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('message')} help={t('message.help')} error={errorOf('text')} live>
        {(control) => <Textarea rows={3} {...control} {...form.register('text')} />}
      </FormField>
      <PendingButton type="submit" variant="outline" className="justify-self-start" pending={mutation.isPending}>
        {t('message.send')}
      </PendingButton>
    </form>
  );
}

type Props = {
  row: DisputeSummary;
  listed: boolean;
  keep: (row: DisputeSummary) => void;
  onNext: (() => void) | null;
  onClose: () => void;
};

function About({ row, dispute }: { row: DisputeSummary; dispute: DealDispute | undefined }) {
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const tDisputeRoom = useTexts(disputeRoom);
  const answered = dispute?.answeredAt ?? row.answeredAt;
  return (
    <>
      <p>
        <DisputeBadge status={dispute?.status ?? row.status} />
      </p>
      <Facts
        rows={[
          [tDisputeRoom('split.price'), usd(centsFromWire(row.deal.price))],
          [tAdmin('buyer'), <PersonLink key="buyer" person={row.buyer} />],
          [tAdmin('seller'), <PersonLink key="seller" person={row.seller} />],
          [t('openedBy'), row[row.openedBy].username],
          [t('why'), tDisputeRoom(`reason.${row.reason}`)],
          [
            t('answered'),
            answered === null
              ? t('answered.no', { when: formatTime(row.answerDueAt, 'moment') })
              : formatTime(answered, 'moment'),
          ],
        ]}
      />
      <p>
        <Button variant="outline" asChild>
          <Link to="/admin/deals" search={{ dealId: row.deal._id, review: row.deal._id }}>
            {t('openDeal')}
          </Link>
        </Button>
      </p>
    </>
  );
}

export default function DisputeReview({ row, listed, keep, onNext, onClose }: Props) {
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const now = useNow();
  const state = useDisputeReview({ row, listed, keep });
  const [asked, setAsked] = useState(false);
  const { detail, waits, mayDecide, review } = state;
  const { busy } = review;
  const dispute = detail.data;
  const names = { buyer: row.buyer.username, seller: row.seller.username };
  useShortcuts(mayDecide && !busy ? { d: () => setAsked(true) } : {});
  const what = t(state.status === 'appealed' ? 'one.appeal' : 'one');
  const age = ageText(tAdmin, now - Date.parse(row.createdAt));
  const foot = mayDecide ? (
    <PendingButton className="min-w-0 flex-1" pending={busy} onClick={() => setAsked(true)}>
      <Gavel aria-hidden="true" />
      {t(state.status === 'appealed' ? 'decide.final' : 'decide')}
    </PendingButton>
  ) : (
    onNext && <NextButton onNext={onNext} />
  );
  return (
    <Drawer
      row={row._id}
      said={review.outcome ?? review.refused}
      eyebrow={waits ? tAdmin('review.waiting', { what, age }) : what}
      title={row.deal.title || shortId(row.deal._id)}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={review.outcome} refused={review.refused} />
      {waits && state.party ? <Note kind="wait">{t('own')}</Note> : null}
      {waits && state.decidedBefore ? <Note kind="wait">{t('decidedBefore')}</Note> : null}
      {waits && !state.party && !state.decidedBefore ? <ClaimNote claim={review.claim} /> : null}
      <About row={row} dispute={dispute} />
      <QueryPart query={detail} failure={t('detailFailed')} skeleton={<Skeleton className="h-80" />}>
        {(dispute) => (
          <>
            <DisputeAppeal dispute={dispute} />
            <DisputeDecision dispute={dispute} names={names} />
            <DisputeThread dispute={dispute} names={names} size="small" />
            {waits && !state.party ? <AdminMessageForm id={row._id} /> : null}
            <DecideDialog
              key={dispute.status}
              dispute={dispute}
              open={asked && mayDecide}
              onClose={() => setAsked(false)}
              busy={busy}
              onDecide={state.decide}
            />
          </>
        )}
      </QueryPart>
    </Drawer>
  );
}
