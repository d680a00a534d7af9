import type { DisputeStatus } from '@/api/contract';

/** Reports whether the dispute still decides about the deal's money. */
export const isRunning = (status: DisputeStatus): boolean => status !== 'settled' && status !== 'closed';

/** Only the decision counts now, whatever is cancelled (docs/rules.md#dispute-decision). */
export const isDecided = (status: DisputeStatus): boolean => status === 'decided' || status === 'appealed';
