import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { adminReports } from '@/i18n/en/admin-reports';
import { latinDigits } from '@/lib/money';

const MAX_DAYS = 365;

const say = (key: Key<typeof adminReports>) => key;

/** Parses days in either script; NaN if it is no whole number. */
export const daysOf = (typed: string): number =>
  /^\d{1,4}$/.test(latinDigits(typed.trim())) ? Number(latinDigits(typed.trim())) : Number.NaN;

/** docs/rules.md#moderation */
export const actSchema = z
  .object({
    action: z.enum(['warn', 'hide', 'suspend', 'ban']),
    days: z.string(),
    reason: z.string().check(z.trim(), z.minLength(1, say('rule.reason'))),
  })
  .check(
    z.refine(({ action, days }) => action !== 'suspend' || (daysOf(days) >= 1 && daysOf(days) <= MAX_DAYS), {
      path: ['days'],
      message: say('rule.days'),
    }),
  );

export type ActValues = z.infer<typeof actSchema>;
