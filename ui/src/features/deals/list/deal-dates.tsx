import type { Deal } from '@/api/contract';
import { formatTime } from '@/lib/time';
import { DueText } from '../countdown';

export function DealDate({ deal }: { deal: Deal }) {
  const at = deal.closedAt ?? (deal.status === 'Delivered' ? deal.deliveredAt : null) ?? deal.dueAt;
  return <time dateTime={at}>{formatTime(at, 'moment')}</time>;
}

export function DealCountdown({ deal }: { deal: Deal }) {
  if (deal.closedAt !== null || deal.status === 'Delivered') return null;
  return <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />;
}

export function DealDates({ deal }: { deal: Deal }) {
  return (
    <>
      <DealCountdown deal={deal} />
      <DealDate deal={deal} />
    </>
  );
}
