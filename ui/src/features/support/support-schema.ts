import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { support } from '@/i18n/en/support';
import { lengthOf } from '@/lib/rules';

const say = (key: Key<typeof support>): Key<typeof support> => key;

const MAX_ISSUE = 5_000;

export const supportSchema = z.object({
  issueDescription: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('required'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_ISSUE, say('long')),
  ),
});
export type SupportValues = z.infer<typeof supportSchema>;
