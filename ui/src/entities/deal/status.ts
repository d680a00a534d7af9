import type { DealStatus } from '@/api/contract';

const OPEN: readonly DealStatus[] = ['Active', 'Late', 'Delivered'];

export function isOpen(status: DealStatus): boolean {
  return OPEN.includes(status);
}
