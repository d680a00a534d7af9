import type { DealStatus } from '@/api/contract';

const OPEN: readonly DealStatus[] = ['Active', 'Late', 'Delivered'];

/** Whether the money of a deal is in trust. */
export function isOpen(status: DealStatus): boolean {
  return OPEN.includes(status);
}
