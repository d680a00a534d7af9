import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { account } from '@/i18n/en/account';
import type { auth } from '@/i18n/en/auth';
import { EMAIL, MIN_PASSWORD } from '@/lib/rules';

/** Messages are keys of the catalogue, so that a shown error follows a change of language. */
const say = (key: Key<typeof auth>): Key<typeof auth> => key;

/** Checked in this order: username, email, its form, password, its length (docs/rules.md#signup). */
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

/** Required. What is no address belongs to no account either, so it is refused in the words for those. */
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

/** The username field takes neither spaces nor dots: they are dropped as they are typed. */
export function stripUsername(typed: string): string {
  return typed.replace(/[\s.]/g, '');
}
