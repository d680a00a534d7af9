import { Rating } from '@/components/rating';
import { Stat } from '@/components/stat';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { errorText } from '@/lib/errors';
import { localDigits } from '@/lib/money';
import { MIN_DEALS_FOR_SCORE } from '@/lib/rules';
import { useFigures, useLifetime } from './use-figures';

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

export function FiguresFailure() {
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
export function Level() {
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
