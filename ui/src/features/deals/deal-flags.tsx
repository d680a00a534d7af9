import { ArrowLeftRight, CirclePause, Scale, Undo2 } from 'lucide-react';
import type { Deal } from '@/api/contract';
import { Badge } from '@/components/ui/badge';
import { isCountered, sideOf } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';

/** Badges beside the status: trouble in an open deal, or terms that wait for the reader. */
export function DealFlags({ deal, className }: { deal: Deal; className?: string }) {
  const t = useTexts(trouble);
  const me = useMe();
  const countered = isCountered(deal) && deal.counterofferBy !== me._id;
  const unusual =
    isOpen(deal.status) && (deal.cancellationRequested || deal.frozen || deal.escalated || deal.openDispute !== undefined);
  if (!countered && !unusual) return null;
  return (
    <span className={cn('inline-flex flex-wrap gap-1.5', className)}>
      {countered ? (
        <Badge variant="pending">
          <ArrowLeftRight aria-hidden="true" />
          {t('flag.counteroffer')}
        </Badge>
      ) : null}
      {deal.cancellationRequested ? (
        <Badge variant="late">
          <Undo2 aria-hidden="true" />
          {t('flag.requested')}
        </Badge>
      ) : null}
      {deal.suspended ? (
        <Badge variant="pending">
          <CirclePause aria-hidden="true" />
          {t('flag.suspended')}
        </Badge>
      ) : null}
      {deal.openDispute ? (
        <Badge variant="pending">
          <Scale aria-hidden="true" />
          {t('flag.disputed')}
        </Badge>
      ) : null}
      {deal.frozen && !deal.suspended && !deal.openDispute ? (
        <Badge variant="pending">
          <CirclePause aria-hidden="true" />
          {t('flag.frozen')}
        </Badge>
      ) : null}
      {deal.escalated ? (
        <Badge variant="pending">
          <Scale aria-hidden="true" />
          {t('flag.escalated')}
        </Badge>
      ) : null}
    </span>
  );
}

/** The other party's relation to the user, to follow their name: "sells to you". */
export function useRelation(): (deal: Deal) => string {
  const t = useTexts(deals);
  const me = useMe();
  return (deal) => {
    const done = deal.status === 'Completed';
    if (sideOf(deal, me._id) === 'buyer') return t(done ? 'soldToYou' : 'sellsToYou');
    return t(done ? 'boughtFromYou' : 'buysFromYou');
  };
}
