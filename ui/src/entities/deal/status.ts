import type { DealStatus, DisputeStatus } from '@/api/contract';

const OPEN: readonly DealStatus[] = ['Active', 'Late', 'Delivered'];

export function isOpen(status: DealStatus): boolean {
  return OPEN.includes(status);
}

/** Reports whether the dispute still decides about the deal's money. */
export const isRunning = (status: DisputeStatus): boolean => status !== 'settled' && status !== 'closed';

/** Only the decision counts now, whatever is cancelled (docs/rules.md#dispute-decision). */
export const isDecided = (status: DisputeStatus): boolean => status === 'decided' || status === 'appealed';
