import * as z from 'zod/mini';
import type { Key } from '@/i18n';
import type { disputeRoom } from '@/i18n/en/dispute-room';
import { parseCents } from '@/lib/amount';
import { type Cents } from '@/lib/money';

const say = (key: Key<typeof disputeRoom>) => key;

export const splitRule = (price: Cents) =>
  z.string().check(
    z.refine((typed) => parseCents(typed) !== null, { error: say('split.missing'), abort: true }),
    z.refine((typed) => (parseCents(typed) ?? 0) <= price, say('split.over')),
  );
