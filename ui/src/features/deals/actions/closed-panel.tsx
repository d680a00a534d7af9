import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { isMostlyRefunded } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { review } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import type { DealView } from '../deal-view';
import { mayReview } from '../review/use-review';
import { ButtonStack } from './use-deal-actions';

/** On a completed deal: the way to the review, that it was given, or why there is none. */
function ReviewPrompt({ view, onReview }: { view: DealView; onReview: () => void }) {
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

function BalanceLink() {
  const t = useTexts(deals);
  return (
    <ButtonStack>
      <Button variant="outline" asChild className="w-full">
        <Link to="/balance">{t('move.toBalance')}</Link>
      </Button>
    </ButtonStack>
  );
}

/** What is left to do: the review, or a look at the money that has arrived. */
export function ClosedPanel({ view, onReview }: { view: DealView; onReview: () => void }) {
  const { deal, side } = view;
  const completed = deal.status === 'Completed';
  if (completed && side === 'buyer') return <ReviewPrompt view={view} onReview={onReview} />;
  const arrived = completed || (side === 'buyer' && deal.refund !== null);
  return arrived ? <BalanceLink /> : null;
}
