import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { adminRate } from '@/i18n/en/admin-rate';
import { parseCents } from '@/lib/amount';

const say = (key: Key<typeof adminRate>): Key<typeof adminRate> => key;

export const rateSchema = z.object({
  usdToBdt: z.string().check(z.refine((typed) => (parseCents(typed, 'BDT') ?? 0) > 0, say('invalid'))),
});
