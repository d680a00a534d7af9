import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useContext, useState } from 'react';
import type { DealTotals, Standing } from '@/api/contract';
import { HANGING } from '@/components/classes';
import { EmptyState } from '@/components/empty-state';
import { ShowMore } from '@/components/pager';
import { PeriodFilter } from '@/components/period-filter';
import { Rating } from '@/components/rating';
import { Section } from '@/components/section';
import { Stat } from '@/components/stat';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { ReviewReport } from '@/entities/moderation/report-button';
import { useMe } from '@/entities/user/queries';
import { fetchReviews, ReviewList } from '@/entities/user/review-list';
import { useMoreRows } from '@/hooks/use-more-rows';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { errorText } from '@/lib/errors';
import { localDigits } from '@/lib/money';
import { daysOf } from '@/lib/period';
import type { Period } from '@/lib/period-search';
import { MIN_DEALS_FOR_SCORE } from '@/lib/rules';
import { CompletedChart } from './completed-chart';
import { PeriodContext, useFigures, useLifetime } from './queries';

const MAX_TICKS = 24;
const NOTHING = '–';

/** One tick per finished deal, dashed if cancelled. */
function Ticks({ completed, finished }: { completed: number; finished: number }) {
  if (finished === 0 || finished > MAX_TICKS) return null;
  return (
    <dd className="mt-2.5 flex gap-0.75" aria-hidden="true">
      {Array.from({ length: finished }, (_, index) => (
        <i
          key={index}
          className={cn('h-3.5 w-1', index < completed ? 'bg-foreground' : 'border border-dashed border-subtle-foreground')}
        />
      ))}
    </dd>
  );
}

function FiguresFailure() {
  const t = useTexts(common);
  const standing = useFigures();
  if (!standing.isError) return null;
  return (
    <p className="mb-6 text-destructive" role="alert">
      {t('error', { message: errorText(standing.error) })}{' '}
      <Button variant="link" onClick={() => void standing.refetch()}>
        {t('retry')}
      </Button>
    </p>
  );
}

function useSources() {
  const t = useTexts(dashboard);
  const lifetime = useLifetime();
  const { data } = useFigures();
  if (!data) return { score: NOTHING, rating: NOTHING };
  return {
    score:
      data.finishedDeals === 0
        ? t(lifetime ? 'score.noneYet' : 'score.none')
        : t('scoreText', { completed: data.completedDeals, count: data.finishedDeals }),
    rating:
      data.ratingCount === 0 ? t(lifetime ? 'reviews.noneYet' : 'reviews.none') : t('ratingText', { count: data.ratingCount }),
  };
}

/** With few deals, counts replace the score (docs/rules.md#success-score). */
function Level() {
  const t = useTexts(dashboard);
  const { data, isPlaceholderData } = useFigures();
  const sources = useSources();
  const score = data && data.finishedDeals >= MIN_DEALS_FOR_SCORE ? data.successScore : null;
  const rating = data?.averageRating ?? null;
  const stale = isPlaceholderData ? 'opacity-55' : undefined;
  return (
    <>
      <Stat
        className={stale}
        label={t('score')}
        value={score === null ? NOTHING : t('percent', { score })}
        picture={data ? <Ticks completed={data.completedDeals} finished={data.finishedDeals} /> : null}
      >
        {sources.score}
      </Stat>
      <Stat
        className={stale}
        label={t('rating')}
        value={rating === null ? NOTHING : localDigits(rating.toFixed(1))}
        picture={
          rating === null ? null : (
            <dd className="mt-1.5 [&_svg]:size-4">
              <Rating value={Math.round(rating)} />
            </dd>
          )
        }
      >
        {sources.rating}
      </Stat>
    </>
  );
}

const SHOWN = 4;

function Received({ standing, all }: { standing: Standing; all: boolean }) {
  const me = useMe()._id;
  const range = daysOf(useContext(PeriodContext));
  const { rows, ...rest } = useMoreRows({
    first: standing.reviews,
    total: standing.reviewCount,
    queryKey: [...keys.dashboard, 'reviews', range],
    load: (page, signal) => fetchReviews(me, range, page, signal),
  });
  return (
    <>
      <ReviewList reviews={all ? rows : rows.slice(0, SHOWN)} act={(review) => <ReviewReport review={review} />} />
      {all ? <ShowMore {...rest} step={10} /> : null}
    </>
  );
}

function ReceivedReviews() {
  const t = useTexts(dashboard);
  const { data, isError } = useFigures();
  const lifetime = useLifetime();
  const [all, setAll] = useState(false);
  if (isError && !data) return null; // shown above
  const total = data?.reviewCount ?? 0;
  return (
    <Section
      title={t('reviews')}
      size="small"
      aside={
        total > SHOWN && !all ? (
          <Button variant="link" onClick={() => setAll(true)}>
            {t('reviews.all', { count: total })}
          </Button>
        ) : null
      }
    >
      {data === undefined ? (
        <Skeleton className="h-24" />
      ) : total === 0 ? (
        <EmptyState title={t(lifetime ? 'reviews.noneYet' : 'reviews.none')} text={t('reviews.noneText')} />
      ) : (
        <Received standing={data} all={all} />
      )}
    </Section>
  );
}

function Filter() {
  const t = useTexts(dashboard);
  const navigate = useNavigate();
  const period = useContext(PeriodContext);
  const lifetime = useLifetime();
  const { data } = useFigures();
  if (lifetime && !data?.finishedDeals && !data?.reviewCount) return null;
  const choose = (chosen: Period) => void navigate({ to: '/dashboard', search: chosen, resetScroll: false });
  return <PeriodFilter label={t('period')} period={period} onPeriod={choose} />;
}

/** Score, rating, reviews and completed deals, which can be folded. */
export function Record({ open, totals }: { open: boolean; totals: DealTotals }) {
  const t = useTexts(dashboard);
  return (
    <>
      <FiguresFailure />
      <details open={open} className={cn(HANGING, 'group/record')}>
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 [&::-webkit-details-marker]:hidden">
          <h2 className="font-display text-display-sm">{t('record')}</h2>
          <ChevronDown className="group-open/record:rotate-180" aria-hidden="true" />
        </summary>
        <Filter />
        <div className="mt-4 grid gap-10 wide:grid-cols-2 wide:gap-x-12">
          <div className="grid content-start gap-y-8">
            <div className="grid grid-cols-2 content-start gap-x-5 wide:gap-x-8">
              <Level />
            </div>
            <ReceivedReviews />
          </div>
          <CompletedChart totals={totals.completed} />
        </div>
      </details>
    </>
  );
}
