import type { DealStatus } from '@/api/contract';

const OPEN: readonly DealStatus[] = ['Active', 'Late', 'Delivered'];

/** Reports whether the deal's money is in trust. */
export function isOpen(status: DealStatus): boolean {
  return OPEN.includes(status);
}
