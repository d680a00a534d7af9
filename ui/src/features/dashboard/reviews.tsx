import { useState } from 'react';
import { Section } from '@/components/khata/section';
import { ReviewList } from '@/components/review-list';
import { Empty } from '@/components/ui/empty';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { useLifetime, useStanding } from './use-standing';

const SHOWN = 4;

/** The reviews that came in the chosen period, the newest first. */
export function ReceivedReviews() {
  const t = useTexts(dashboard);
  const { data, isError } = useStanding();
  const lifetime = useLifetime();
  const [all, setAll] = useState(false);
  if (isError && !data) return null; // said above
  const reviews = data?.reviews ?? [];
  return (
    <Section
      title={t('reviews')}
      aside={
        reviews.length > SHOWN && !all ? (
          <button type="button" className="link" onClick={() => setAll(true)}>
            {t('reviews.all', { count: reviews.length })}
          </button>
        ) : null
      }
    >
      {data === undefined ? (
        <Skeleton height={96} />
      ) : reviews.length === 0 ? (
        <Empty title={t(lifetime ? 'reviews.noneYet' : 'reviews.none')} text={t('reviews.noneText')} />
      ) : (
        <ReviewList reviews={all ? reviews : reviews.slice(0, SHOWN)} />
      )}
    </Section>
  );
}
