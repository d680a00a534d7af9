import type { DisputeReason } from '@/api/contract';
import type { Side } from '@/entities/deal/rules';

export const REASONS: Record<Side, readonly DisputeReason[]> = {
  buyer: ['not_delivered', 'not_as_agreed', 'broken', 'access_taken', 'other'],
  seller: ['not_released', 'asks_more', 'abuse', 'other'],
};
