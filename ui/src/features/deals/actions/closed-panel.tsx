import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { heldSum, isMostlyRefunded, refundOf } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { review, trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
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

export function ClosedPanel({ view, onReview }: { view: DealView; onReview: () => void }) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const { deal, side, other, payout } = view;
  const when = deal.closedAt === null ? '' : formatTime(deal.closedAt, 'long');
  if (deal.status === 'Completed') {
    if (side === 'buyer') {
      const part = refundOf(deal);
      const settled = () =>
        part > 0 ? tTrouble('move.settledBuyer', { when, back: usd(part) }) : tTrouble('move.settledBuyerNone', { when });
      return (
        <>
          <p className="text-muted-foreground">{deal.closeReason === 'settled' ? settled() : t('move.doneBuyer', { when })}</p>
          <ReviewPrompt view={view} onReview={onReview} />
        </>
      );
    }
    return (
      <>
        <p className="text-muted-foreground">{t('move.doneSeller', { payout: usd(payout), when })}</p>
        <BalanceLink />
      </>
    );
  }
  if (deal.refund === null) return <p className="text-muted-foreground">{t('move.cancelled', { when })}</p>;
  const back = { name: other.username, sum: usd(heldSum(deal)), when };
  if (side === 'seller') return <p className="text-muted-foreground">{tTrouble('move.backSeller', back)}</p>;
  return (
    <>
      <p className="text-muted-foreground">{tTrouble('move.backBuyer', back)}</p>
      <BalanceLink />
    </>
  );
}
