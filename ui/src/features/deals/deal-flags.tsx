import { CirclePause, Scale, Undo2 } from 'lucide-react';
import type { Deal } from '@/api/contract';
import { Badge } from '@/components/ui/badge';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/trouble';
import { cn } from '@/lib/cn';

/** What is out of the ordinary in an open deal, beside its status. */
export function DealFlags({ deal, className }: { deal: Deal; className?: string }) {
  const t = useTexts(trouble);
  if (!isOpen(deal.status) || !(deal.cancellationRequested || deal.frozen || deal.escalated || deal.openDispute)) return null;
  return (
    <span className={cn('inline-flex flex-wrap gap-1.5', className)}>
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
