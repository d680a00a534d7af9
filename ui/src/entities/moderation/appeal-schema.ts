import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { decision } from '@/i18n/en/decision';
import { lengthOf } from '@/lib/rules';

export const MAX_APPEAL = 2_000;

const message = (key: Key<typeof decision>) => key;

/** docs/rules.md#moderation */
export const appealSchema = z.object({
  text: z.string().check(
    z.trim(),
    z.minLength(1, message('missing.text')),
    z.refine((text) => lengthOf(text) <= MAX_APPEAL, message('long')),
  ),
});
