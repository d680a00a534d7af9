import { Link } from '@tanstack/react-router';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { type DealView, heldSum } from './deal';
import { MoveButtons } from './move-buttons';
import { ReviewPlace } from './review-place';

function BalanceLink() {
  const t = useTexts(deals);
  return (
    <MoveButtons>
      <Button variant="outline" asChild className="w-full">
        <Link to="/balance">{t('move.toBalance')}</Link>
      </Button>
    </MoveButtons>
  );
}

/** How the deal ended, for whoever has something of it: a review to give, or money to look at. */
export function Closed({ view, onReview }: { view: DealView; onReview: () => void }) {
  const t = useTexts(deals);
  const tt = useTexts(trouble);
  const { deal, side, other, payout } = view;
  const when = deal.closedAt === null ? '' : formatTime(deal.closedAt, 'long');
  if (deal.status === 'Completed') {
    if (side === 'buyer') {
      return (
        <>
          <p className="text-muted-foreground">{t('move.doneBuyer', { when })}</p>
          <ReviewPlace view={view} onReview={onReview} />
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
  if (side === 'seller') return <p className="text-muted-foreground">{tt('move.backSeller', back)}</p>;
  return (
    <>
      <p className="text-muted-foreground">{tt('move.backBuyer', back)}</p>
      <BalanceLink />
    </>
  );
}
