import * as z from 'zod/mini';
import { isTransactionId, transactionIdOf } from '@/entities/wallet/mobile-money';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';

const say = (key: Key<typeof admin>): Key<typeof admin> => key;

function isPayoutId(typed: string): boolean {
  const id = transactionIdOf(typed);
  return id === '' || isTransactionId(id);
}

export const payoutSchema = z.object({ transactionId: z.string().check(z.refine(isPayoutId, say('rule.transactionId'))) });
