import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { security } from '@/i18n/en/security';
import { EMAIL } from '@/lib/rules';

const say = (key: Key<typeof security>): Key<typeof security> => key;

/** docs/rules.md#email-change */
export const emailSchema = z.object({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: say('emailRequired'), abort: true }), z.regex(EMAIL, say('emailInvalid'))),
});
export type EmailValues = z.infer<typeof emailSchema>;
