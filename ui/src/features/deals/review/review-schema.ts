import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { review } from '@/i18n/en/review';
import { lengthOf } from '@/lib/rules';

type Rule = Extract<Key<typeof review>, 'hint' | 'long'>;
const say = (rule: Rule): Rule => rule;

const MAX_COMMENT = 2_000;

export const reviewSchema = z.object({
  rating: z.string().check(z.minLength(1, say('hint'))),
  comment: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('hint'), abort: true }),
    z.refine((comment) => lengthOf(comment) <= MAX_COMMENT, say('long')),
  ),
});
export type ReviewValues = z.infer<typeof reviewSchema>;

export function brokenRules(typed: ReviewValues): readonly string[] {
  return reviewSchema.safeParse(typed).error?.issues.map(({ message }) => message) ?? [];
}
