import { Star } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { isMostlyRefunded } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { review } from '@/i18n/en/review';
import { ButtonStack } from '../actions/button-stack';
import type { DealView } from '../deal-view';
import { mayReview } from './use-review';

/** On a completed deal: the way to the review, that it was given, or why there is none. */
export function ReviewPrompt({ view, onReview }: { view: DealView; onReview: () => void }) {
  const t = useTexts(review);
  const name = view.other.username;
  if (!mayReview(view)) {
    const why = view.deal.reviewGiven ? 'given' : isMostlyRefunded(view.deal) ? 'refunded' : 'never';
    return <p className="mt-4 text-sm text-muted-foreground">{t(why, { name })}</p>;
  }
  return (
    <>
      <ButtonStack data-slot="review-place">
        <Button variant="outline" onClick={onReview} className="w-full">
          <Star aria-hidden="true" />
          {t('open', { name })}
        </Button>
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{t('why', { name })}</p>
    </>
  );
}
