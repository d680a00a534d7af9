import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { security } from '@/i18n/en/security';

const say = (key: Key<typeof security>): Key<typeof security> => key;

const MAX_NAME = 50;

/** docs/rules.md#second-factor */
export const nameSchema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, { error: say('add.nameRequired'), abort: true }), z.maxLength(MAX_NAME, say('add.nameLong'))),
});
export type NameValues = z.infer<typeof nameSchema>;

/** The first code of a new authenticator app. */
export const codeSchema = z.object({ code: z.string().check(z.trim(), z.minLength(1, say('setUp.required'))) });
