import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { delivery } from '@/i18n/en/delivery';
import { lengthOf } from '@/lib/rules';

type Rule = Extract<Key<typeof delivery>, 'long' | 'changes.missing'>;
const say = (rule: Rule): Rule => rule;

/** In characters, as the server counts them. */
export const MAX_LENGTH = 2_000;

export const fits = (text: string): boolean => lengthOf(text) <= MAX_LENGTH;

export const deliverySchema = z.object({ text: z.string().check(z.trim(), z.refine(fits, say('long'))) });
export const changesSchema = z.object({
  text: z.string().check(z.trim(), z.minLength(1, { error: say('changes.missing'), abort: true }), z.refine(fits, say('long'))),
});

export type WordsValues = z.infer<typeof deliverySchema>;
export const EMPTY: WordsValues = { text: '' };
