import { useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import type { DealDetail } from '@/api/contract';
import { Section } from '@/components/khata/section';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { dealQuery } from '@/lib/deal-query';
import { isApiError } from '@/lib/errors';
import { inBackground } from '@/lib/loading';
import { useMe } from '@/lib/queries';
import { useNow } from '@/lib/time';
import { useDealActions } from './actions';
import { After } from './after';
import { Book } from './book';
import { type DealView, isParty, titleOf, viewOf, wordsOf } from './deal';
import { DealHead } from './detail-head';
import { DealHold } from './detail-hold';
import { Dates, Money } from './figures';
import { useFocusKeeper } from './focus';
import { MessageOther } from './message-other';
import { MoveBar } from './move-bar';
import { MovePanel } from './move-panel';
import { useReview } from './use-review';

function Words({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, mine, side, other } = view;
  const name = other.username;
  const offer = mine ? t('words.yours') : t(side === 'buyer' ? 'words.offers' : 'words.wants', { name });
  return (
    <Section title={deal.status === 'Pending' ? offer : t('words.agreed')}>
      <p className="max-w-measure whitespace-pre-line">{wordsOf(deal.description)}</p>
    </Section>
  );
}

const Questions = lazy(async () => ({ default: (await import('./questions')).Questions }));

// Only for the buyer, once the deal is done.
const loadReview = () => import('./review-dialog');
const ReviewDialog = lazy(loadReview);

function Detail({ deal }: { deal: DealDetail }) {
  const t = useTexts(deals);
  const view = viewOf(deal, useMe(), useNow());
  const review = useReview(view);
  const actions = useDealActions(view);
  const heading = useFocusKeeper(actions, deal.status);
  const pending = deal.status === 'Pending';
  const releases = view.side === 'buyer' && deal.status === 'Delivered';
  useEffect(() => {
    if (releases) inBackground(loadReview());
  }, [releases]);
  return (
    <Page
      title={titleOf(deal.description) || t('untitled')}
      className="pb-28 wrap-anywhere md:pb-28 lg:pb-24 [&_dd]:whitespace-nowrap"
    >
      <DealHead view={view} />
      {/* On a narrow screen one column: the writing to the other side, the hold, the move, then the rest. */}
      <div className="flex flex-col gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start">
        <div className="grid min-w-0 content-start gap-12 *:min-w-0 max-lg:contents">
          <DealHold view={view} />
          {pending ? (
            <>
              <Words view={view} />
              <After view={view} />
              <Book view={view} />
            </>
          ) : (
            <>
              <Book view={view} />
              <Words view={view} />
            </>
          )}
        </div>
        <aside className="grid gap-8 max-lg:contents lg:sticky lg:top-6" aria-label={t('aside')}>
          <MovePanel view={view} actions={actions} onReview={() => review.setOpen(true)} headingRef={heading} />
          <Money view={view} />
          <Dates view={view} />
          <MessageOther view={view} />
        </aside>
      </div>
      <MoveBar view={view} actions={actions} />
      <Suspense>
        <Questions view={view} actions={actions} />
      </Suspense>
      {view.side === 'buyer' && deal.status === 'Completed' ? (
        <Suspense>
          <ReviewDialog view={view} review={review} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** One deal. When it is gone (the other side took it back), the page leads to the list; an admin who is no party decides elsewhere. */
export function DealPage({ id }: { id: string }) {
  const t = useTexts(deals);
  const navigate = useNavigate();
  const me = useMe();
  const { data, error } = useSuspenseQuery({ ...dealQuery(id), meta: { fallback: () => t('fetchFailed') } });
  const gone = isApiError(error) && error.status === 404;
  useEffect(() => {
    if (gone) void navigate({ to: '/deals', replace: true });
  }, [gone, navigate]);
  if (!isParty(data, me)) return <Navigate to="/admin/deals" search={{ dealId: id, review: id }} replace />;
  return <Detail deal={data} />;
}
