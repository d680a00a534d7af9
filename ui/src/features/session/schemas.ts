import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { account } from '@/i18n/en/account';
import type { auth } from '@/i18n/en/auth';
import { EMAIL, MIN_PASSWORD } from '@/lib/rules';

/** Messages are keys, so that shown errors follow a change of language. */
const say = (key: Key<typeof auth>): Key<typeof auth> => key;

/** Checked in the order of docs/rules.md#signup. */
export const signupSchema = z.object({
  username: z.string().check(z.minLength(1, say('username.required'))),
  email: z
    .string()
    .check(z.trim(), z.minLength(1, { error: say('email.required'), abort: true }), z.regex(EMAIL, say('email.invalid'))),
  password: z
    .string()
    .check(z.minLength(1, { error: say('password.required'), abort: true }), z.minLength(MIN_PASSWORD, say('password.short'))),
});
export type SignupValues = z.infer<typeof signupSchema>;

export const loginSchema = z.object({
  username: z.string().check(z.trim(), z.minLength(1, say('username.required'))),
  password: z.string().check(z.minLength(1, say('password.required'))),
});
export type LoginValues = z.infer<typeof loginSchema>;

const sayAccount = (key: Key<typeof account>): Key<typeof account> => key;

/** Required. An invalid address belongs to no account, and is refused with that text. */
export const forgotSchema = z.object({
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: sayAccount('forgot.required'), abort: true }),
      z.regex(EMAIL, sayAccount('forgot.unknown')),
    ),
});
export type ForgotValues = z.infer<typeof forgotSchema>;

export const resetSchema = z.object({ password: z.string().check(z.minLength(MIN_PASSWORD, sayAccount('reset.short'))) });

/** Drops spaces and dots, which usernames cannot contain, while typing. */
export function stripUsername(typed: string): string {
  return typed.replace(/[\s.]/g, '');
}
