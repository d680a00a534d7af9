import { useContext, useState } from 'react';
import type { Standing } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { ShowMore } from '@/components/pager';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { ReviewReport } from '@/entities/moderation/report-button';
import { useMe } from '@/entities/user/queries';
import { fetchReviews, ReviewList } from '@/entities/user/review-list';
import { useMoreRows } from '@/hooks/use-more-rows';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { daysOf } from '@/lib/period';
import { PeriodContext, useFigures, useLifetime } from './use-figures';

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

export function ReceivedReviews() {
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
