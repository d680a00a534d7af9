import type { DisputeStatus } from '@/api/contract';

/** Reports whether the dispute still decides about the deal's money. */
export const isRunning = (status: DisputeStatus): boolean => status !== 'settled' && status !== 'closed';

/**
 * Reports whether an admin has decided; no cancellation can override that
 * (docs/rules.md#dispute-decision).
 */
export const isRuled = (status: DisputeStatus): boolean => status === 'decided' || status === 'appealed';
