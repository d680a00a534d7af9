import type { DisputeStatus } from '@/api/contract';

/** Whether a dispute still decides about the deal's money. */
export const isRunning = (status: DisputeStatus): boolean => status !== 'settled' && status !== 'closed';
