import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { payout } from '@/i18n/en/payout';
import { lengthOf } from '@/lib/rules';
import { MAX_NUMBER_NAME } from '../request/schemas';

const say = (key: Key<typeof payout>): Key<typeof payout> => key;

/** docs/rules.md#payout-numbers */
export const nameSchema = z.object({
  name: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('nameRequired'), abort: true }),
    z.refine((name) => lengthOf(name) <= MAX_NUMBER_NAME, say('nameLong')),
  ),
});
