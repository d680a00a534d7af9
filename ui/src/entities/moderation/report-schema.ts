import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { report } from '@/i18n/en/report';
import { lengthOf } from '@/lib/rules';

export const MAX_REPORT = 1_000;

const message = (key: Key<typeof report>) => key;

/** docs/rules.md#report */
export const reportSchema = z
  .object({
    reason: z.string().check(z.minLength(1, message('missing.reason'))),
    text: z.string().check(
      z.trim(),
      z.refine((text) => lengthOf(text) <= MAX_REPORT, message('long')),
    ),
  })
  .check(z.refine(({ reason, text }) => reason !== 'other' || text !== '', { path: ['text'], message: message('missing.text') }));

export type ReportValues = z.infer<typeof reportSchema>;
