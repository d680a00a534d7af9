import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { feedback } from '@/i18n/en/feedback';
import { EMAIL, lengthOf } from '@/lib/rules';

const say = (key: Key<typeof feedback>): Key<typeof feedback> => key;

const MAX_NAME = 100;
const MAX_SUBJECT = 200;
const MAX_TEXT = 5_000;

const upTo = (most: number, message: Key<typeof feedback>) => z.refine<string>((text) => lengthOf(text) <= most, say(message));
const required = (message: Key<typeof feedback>) => z.minLength(1, { error: say(message), abort: true });

/** docs/rules.md#feedback */
export const contactSchema = z.object({
  name: z.string().check(z.trim(), required('name.required'), upTo(MAX_NAME, 'name.long')),
  email: z.string().check(z.trim(), required('email.required'), z.regex(EMAIL, say('email.invalid'))),
  message: z.string().check(z.trim(), required('contact.required'), upTo(MAX_TEXT, 'contact.long')),
});
/** Visitors may leave a name and an address. */
export const bugSchema = z.object({
  name: z.string().check(z.trim(), upTo(MAX_NAME, 'name.long')),
  email: z.string().check(
    z.trim(),
    z.refine((email) => email === '' || EMAIL.test(email), say('email.invalid')),
  ),
  subject: z.string().check(z.trim(), required('bug.subject.required'), upTo(MAX_SUBJECT, 'bug.subject.long')),
  description: z.string().check(z.trim(), required('bug.description.required'), upTo(MAX_TEXT, 'bug.description.long')),
});
