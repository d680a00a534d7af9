import { Link } from '@tanstack/react-router';
import { Button } from '@/components/ui/button';
import { heldSum, refundOf } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';
import { ReviewPrompt } from '../review/review-prompt';
import { ButtonStack } from './button-stack';

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
