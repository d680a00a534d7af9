import * as z from 'zod/mini';
import { splitRule } from '@/entities/deal/dispute/split-schema';
import type { Key } from '@/i18n';
import type { adminDisputes } from '@/i18n/en/admin-disputes';
import type { Cents } from '@/lib/money';
import { lengthOf } from '@/lib/rules';

const SHORTEST = 10;
export const MAX_LENGTH = 2_000;

const say = (key: Key<typeof adminDisputes>) => key;

/** docs/rules.md#disputes */
export const decideSchema = (price: Cents) =>
  z.object({
    buyerGets: splitRule(price),
    reason: z.string().check(
      z.trim(),
      z.refine((reason) => lengthOf(reason) >= SHORTEST, { error: say('rule.reason'), abort: true }),
      z.refine((reason) => lengthOf(reason) <= MAX_LENGTH, say('rule.long')),
    ),
  });
