import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { adminAdjustments } from '@/i18n/en/admin-adjustments';
import { parseCents } from '@/lib/amount';
import { lengthOf } from '@/lib/rules';

export const LONGEST_REASON = 200;
export const LONGEST_NOTE = 500;

const say = (key: Key<typeof adminAdjustments>) => key;

/** docs/rules.md#adjustments */
export const proposeSchema = z.object({
  userId: z.string().check(z.minLength(1, say('rule.user'))),
  direction: z.enum(['credit', 'debit']),
  amount: z.string().check(z.refine((typed) => (parseCents(typed) ?? 0) > 0, say('rule.amount'))),
  reason: z.string().check(
    z.trim(),
    z.minLength(1, say('rule.reason')),
    z.refine((reason) => lengthOf(reason) <= LONGEST_REASON, say('rule.long')),
  ),
  note: z.string().check(z.trim()),
});

export type ProposalValues = z.infer<typeof proposeSchema>;
