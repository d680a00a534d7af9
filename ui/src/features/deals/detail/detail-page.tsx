import { useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { DealDetail } from '@/api/contract';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { dealQuery } from '@/entities/deal/detail-query';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useMe } from '@/entities/user/queries';
import { useLatePart } from '@/hooks/use-late-part';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { isApiError } from '@/lib/errors';
import { preload } from '@/lib/prefetch';
import { useNow } from '@/lib/server-clock';
import { ActionBar } from '../actions/action-bar';
import { ActionPanel } from '../actions/action-panel';
import { useDealActions } from '../actions/use-deal-actions';
import { CounterofferCard } from '../counteroffer/counteroffer-card';
import { type DealView, isParty, viewOf, wordsOf } from '../deal-view';
import ProofCard from '../proof/proof-card';
import { useReview } from '../review/use-review';
import { DealTimeline } from './deal-timeline';
import { DealHead } from './detail-head';
import { DealHold } from './detail-hold';
import { MessageButton } from './message-button';
import { DealDatesList, DealMoney } from './money-and-dates';
import { UpcomingSteps } from './upcoming-steps';
import { useFocusKeeper } from './use-focus-keeper';

function Words({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, mine, side, other } = view;
  const name = other.username;
  const offer = mine ? t('words.yours') : t(side === 'buyer' ? 'words.offers' : 'words.wants', { name });
  return (
    <Section title={deal.status === 'Pending' && deal.terms === 1 ? offer : t('words.agreed')}>
      {deal.descriptionErased ? (
        <p className="text-muted-foreground">{t('words.erased')}</p>
      ) : (
        <p className="max-w-measure overflow-clip whitespace-pre-line">{wordsOf(deal.description)}</p>
      )}
    </Section>
  );
}

const loadQuestions = async () => ({ default: (await import('../actions/action-dialogs')).ActionDialogs });

const loadReview = () => import('../review/review-dialog');

function Detail({ deal }: { deal: DealDetail }) {
  const t = useTexts(deals);
  const titleOf = useDealTitle();
  const view = viewOf(deal, useMe(), useNow());
  const review = useReview(view);
  const actions = useDealActions(view);
  const heading = useFocusKeeper(actions, `${deal.status} ${deal.terms} ${deal.counteroffer?._id}`);
  const pending = deal.status === 'Pending';
  const releases = view.side === 'buyer' && deal.status === 'Delivered';
  useEffect(() => {
    if (releases) preload(loadReview);
  }, [releases]);
  useEffect(() => preload(loadQuestions), []);
  const questions = useLatePart(loadQuestions, actions.asked !== null, actions.close);
  const reviewDialog = useLatePart(loadReview, review.open, () => review.setOpen(false));
  return (
    <Page title={titleOf(deal)} className="pb-28 wrap-anywhere md:pb-28 lg:pb-24 [&_dd]:whitespace-nowrap">
      <DealHead view={view} />
      <CounterofferCard view={view} actions={actions} />
      {/* On a narrow screen one column: the message button, the hold, the move, then the rest. */}
      <div className="flex flex-col gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start">
        <div className="grid min-w-0 content-start gap-12 *:min-w-0 max-lg:contents">
          <DealHold view={view} />
          {pending ? (
            <>
              <Words view={view} />
              <UpcomingSteps view={view} />
              <DealTimeline view={view} />
            </>
          ) : (
            <>
              <DealTimeline view={view} />
              <Words view={view} />
            </>
          )}
        </div>
        <aside className="grid gap-8 max-lg:contents lg:sticky lg:top-6" aria-label={t('aside')}>
          <ActionPanel view={view} actions={actions} onReview={() => review.setOpen(true)} headingRef={heading} />
          <DealMoney view={view} />
          <DealDatesList view={view} />
          <MessageButton view={view} />
          {pending ? null : <ProofCard view={view} />}
        </aside>
      </div>
      <ActionBar view={view} actions={actions} />
      {questions ? <questions.Part view={view} actions={actions} /> : null}
      {reviewDialog ? <reviewDialog.Part view={view} review={review} /> : null}
    </Page>
  );
}

/** Leads to the list if the deal is removed, and an admin who is no party to the admin area. */
export function DealPage({ id }: { id: string }) {
  const t = useTexts(deals);
  const navigate = useNavigate();
  const here = useStillHere();
  const me = useMe();
  const { data, error } = useSuspenseQuery({ ...dealQuery(id), meta: { fallback: () => t('fetchFailed') } });
  const gone = isApiError(error) && error.status === 404;
  useEffect(() => {
    if (gone && here()) void navigate({ to: '/deals', replace: true });
  }, [gone, navigate, here]);
  if (!isParty(data, me)) return <Navigate to="/admin/deals" search={{ dealId: id, review: id }} replace />;
  return <Detail deal={data} />;
}
