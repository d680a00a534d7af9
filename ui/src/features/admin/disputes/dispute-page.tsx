import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { DealDetail, DealDispute, DisputeSummary } from '@/api/contract';
import { Crumbs } from '@/components/crumbs';
import { lazyPart } from '@/components/lazy-part';
import { Note } from '@/components/note';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { disputeQuery, putDispute } from '@/entities/deal/dispute/queries';
import { DisputeAppeal, DisputeDecision } from '@/entities/deal/dispute/split';
import { DisputeBadge, DisputeThread } from '@/entities/deal/dispute/thread';
import { shortId } from '@/entities/deal/title';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { admin, adminDisputes } from '@/i18n/en/admin';
import { disputeRoom } from '@/i18n/en/disputes';
import { api, idempotent, send } from '@/lib/api';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { DealFacts, Timeline } from '../deals/deal-parts';
import { adminDealQuery } from '../deals/queries';
import { AdminMain } from '../frame/admin-frame';
import { claimOf } from '../queue/list-query';
import { ageText } from '../queue/queue-rows';
import { useAdminList, useRowReview } from '../queue/use-admin-list';
import { ClaimNote, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import type { Verdict } from './decide-form';
import { disputesQuery } from './queries';

type Options = { dispute: DealDispute; listed: boolean; keep: (row: DisputeSummary) => void };

/** The claim of a dispute, and the decisions on it and on its appeal. */
function useDisputeReview({ dispute, listed, keep }: Options) {
  const queryClient = useQueryClient();
  const me = useMe()._id;
  const { status } = dispute;
  const waits = status === 'open' || status === 'appealed';
  const party = dispute.buyer._id === me || dispute.seller._id === me;
  // Another admin decides on an appeal.
  const decidedBefore = status === 'appealed' && dispute.decision?.by._id === me;
  const params = { path: { id: dispute._id } };
  const review = useReview<DealDispute, Verdict & { act: 'decide' | 'decideAppeal' }>({
    list: keys.adminDisputes,
    name: 'dispute',
    row: {
      ...{ _id: dispute._id, claim: claimOf(dispute), user: { _id: party ? me : '' } },
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
    waits: waits && review.outcome === null && review.refused === null,
    party,
    decidedBefore,
    review,
    mayDecide: dispute.operation === undefined && review.mayAct,
    decide: (verdict: Verdict) => review.runAsync({ act: status === 'appealed' ? 'decideAppeal' : 'decide', ...verdict }),
  };
}

const DecideForm = lazyPart(() => import('./decide-form'));
const AdminMessageForm = lazyPart(() => import('./message-form'));

type SaidProps = { dispute: DealDispute; deal: DealDetail | undefined; failed: boolean; children: ReactNode };

/** What was said: in the dispute, in the deal, and in the chat, which an inspection shows. */
function Said({ dispute, deal, failed, children }: SaidProps) {
  const t = useTexts(adminDisputes);
  const { buyer, seller } = dispute;
  const names = { buyer: buyer.username, seller: seller.username };
  return (
    <div className="grid min-w-0 content-start gap-5">
      <DisputeAppeal dispute={dispute} />
      <DisputeDecision dispute={dispute} names={names} />
      <DisputeThread dispute={dispute} names={names} size="small" />
      {children}
      <Timeline deal={deal} failed={failed} />
      <p>
        <Button variant="outline" asChild>
          <Link to="/admin/chat" search={{ one: buyer._id, other: seller._id }}>
            {t('openChat')}
          </Link>
        </Button>
      </p>
    </div>
  );
}

/** The dispute, and the terms of its deal. */
function Terms({ dispute, deal, failed }: Omit<SaidProps, 'children'>) {
  const t = useTexts(adminDisputes);
  const tDisputeRoom = useTexts(disputeRoom);
  const { answeredAt, answerDueAt } = dispute;
  return (
    <Section title={t('terms')} size="small">
      <Facts
        rows={[
          [t('openedBy'), dispute[dispute.openedBy].username],
          [t('why'), tDisputeRoom(`reason.${dispute.reason}`)],
          [
            t('answered'),
            answeredAt === null
              ? t('answered.no', { when: formatTime(answerDueAt, 'moment') })
              : formatTime(answeredAt, 'moment'),
          ],
        ]}
      />
      <div className="mt-3 grid gap-3">{deal ? <DealFacts deal={deal} /> : failed ? null : <Skeleton className="h-60" />}</div>
    </Section>
  );
}

type ReviewProps = { dispute: DealDispute; listed: boolean; keep: (row: DisputeSummary) => void; onNext: (() => void) | null };

function Review({ dispute, listed, keep, onNext }: ReviewProps) {
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const now = useNow();
  const { waits, mayDecide, review, ...state } = useDisputeReview({ dispute, listed, keep });
  const deal = useQuery(adminDealQuery(dispute.deal._id));
  const heading = useRef<HTMLHeadingElement>(null);
  const said = review.outcome ?? review.refused;
  // Screen readers start at the title.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [said]);
  const what = t(dispute.status === 'appealed' ? 'one.appeal' : 'one');
  const age = ageText(tAdmin, now - Date.parse(dispute.createdAt));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted-foreground">
            <DisputeBadge status={dispute.status} /> {waits ? tAdmin('review.waiting', { what, age }) : what}
          </p>
          <h1 ref={heading} tabIndex={-1} className="mt-1 font-display text-display-md wrap-anywhere focus:outline-0">
            {dispute.deal.title || shortId(dispute.deal._id)}
          </h1>
        </div>
        {onNext ? (
          <Button variant={mayDecide ? 'outline' : 'default'} onClick={onNext}>
            {tAdmin('nextOne')}
          </Button>
        ) : null}
      </div>
      <div className="grid gap-x-8 gap-y-6 min-[1000px]:grid-cols-[minmax(0,1fr)_minmax(0,380px)]">
        <Said dispute={dispute} deal={deal.data} failed={deal.isLoadingError}>
          {waits && !state.party ? <AdminMessageForm id={dispute._id} /> : null}
        </Said>
        <div className="grid min-w-0 content-start gap-5 min-[1000px]:sticky min-[1000px]:top-0 min-[1000px]:max-h-[calc(100dvh-6rem)] min-[1000px]:overflow-auto min-[1000px]:pr-1">
          <Result outcome={review.outcome} refused={review.refused} />
          {waits && state.party ? <Note kind="wait">{t('own')}</Note> : null}
          {waits && state.decidedBefore ? <Note kind="wait">{t('decidedBefore')}</Note> : null}
          {waits && !state.party && !state.decidedBefore ? <ClaimNote claim={review.claim} /> : null}
          {mayDecide ? (
            <Section title={t(dispute.status === 'appealed' ? 'decide.final' : 'decision')} size="small">
              <DecideForm key={dispute.status} dispute={dispute} busy={review.busy} onDecide={state.decide} />
            </Section>
          ) : null}
          <Terms dispute={dispute} deal={deal.data} failed={deal.isLoadingError} />
        </div>
      </div>
    </>
  );
}

const route = getRouteApi('/_admin/admin/disputes_/$id');

/** /admin/disputes/{id}: one dispute, with all that was said in it. J and K lead along its list. */
export function AdminDisputePage() {
  const t = useTexts(adminDisputes);
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const list = useAdminList({ search, navigate: route.useNavigate(), query: disputesQuery });
  const { reviewed, keep, onNext } = useRowReview({
    ...list,
    search: { review: id },
    change: (to: (now: { review?: string }) => { review?: string }) => {
      const { review = id } = to({ review: id });
      void navigate({ to: '/admin/disputes/$id', params: { id: review }, search, replace: true });
    },
  });
  const { data: dispute } = useSuspenseQuery(disputeQuery(id));
  return (
    <AdminMain title={t('page')}>
      <Crumbs
        label={t('disputes')}
        links={[
          <Link key="list" to="/admin/disputes" search={search}>
            {t('disputes')}
          </Link>,
        ]}
        page={dispute.deal.title}
      />
      <Review key={id} dispute={dispute} listed={reviewed?.listed ?? true} keep={keep} onNext={onNext} />
    </AdminMain>
  );
}
