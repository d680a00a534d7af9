import { Link } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { disputeTurnOf } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { disputeBanner } from '@/i18n/en/deal-page';
import { cn } from '@/lib/cn';
import type { DealView } from '../deal-view';

type ToDisputeProps = { view: DealView; inBar?: boolean; className: string };

/** Links to the dispute. If it waits for the reader, it stands out and is in a phone's bar. */
export function ToDispute({ view: { deal, side, disputeId }, inBar = false, className }: ToDisputeProps) {
  const t = useTexts(disputeBanner);
  if (disputeId === null) return null;
  const own = disputeTurnOf(deal, side) !== null;
  return (
    <Button asChild variant={own ? 'default' : 'outline'} className={cn(own && !inBar && 'max-lg:hidden', className)}>
      <Link to="/disputes/$id" params={{ id: disputeId }}>
        <Scale aria-hidden="true" />
        {t('toDispute')}
      </Link>
    </Button>
  );
}

export function FormerDispute({ id }: { id: string }) {
  const t = useTexts(disputeBanner);
  return (
    <p className="mt-3">
      <Link to="/disputes/$id" params={{ id }} className="inline-flex min-h-11 items-center underline">
        {t('over')}
      </Link>
    </p>
  );
}
