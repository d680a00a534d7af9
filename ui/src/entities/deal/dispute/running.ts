import type { DisputeStatus } from '@/api/contract';

/** Whether a dispute still decides about the deal's money. */
export const isRunning = (status: DisputeStatus): boolean => status !== 'settled' && status !== 'closed';

/** Whether an admin has decided it: no cancellation can take what the decision gives (docs/rules.md#dispute-decision). */
export const isRuled = (status: DisputeStatus): boolean => status === 'decided' || status === 'appealed';
