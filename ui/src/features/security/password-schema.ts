import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { security } from '@/i18n/en/security';
import { MIN_PASSWORD } from '@/lib/rules';

const say = (key: Key<typeof security>): Key<typeof security> => key;

/** docs/rules.md#passwords */
export const passwordSchema = z.object({
  currentPassword: z.string().check(z.minLength(1, say('current.required'))),
  newPassword: z
    .string()
    .check(z.minLength(1, { error: say('fresh.required'), abort: true }), z.minLength(MIN_PASSWORD, say('fresh.short'))),
});
export type PasswordValues = z.infer<typeof passwordSchema>;
