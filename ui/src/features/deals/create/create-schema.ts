import * as z from 'zod/mini';
import type { Party } from '@/api/contract';
import type { Side } from '@/entities/deal/rules';
import type { Key } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import { centsToWire, parseCents } from '@/lib/money';
import { lengthOf, MAX_DESCRIPTION, MAX_PRICE } from '@/lib/rules';

const say = (key: Key<typeof deals>): Key<typeof deals> => key;

export const MAX_DAYS = 99;
const MAX_CHECK = 30;

/** Days to check after the delivery that suit most deals: of services and goods, and of channels, pages and accounts. */
export const INSPECTION_DAYS = ['3', '10'] as const;

const hasCheckDays = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_CHECK;

/** A price of nothing counts as no price, as on the server. */
const hasPrice = (text: string) => (parseCents(text) ?? 0) > 0;

/** The fields of a new deal (docs/rules.md#deal-create). `me` is no field: it is the id of the signed-in user, whose absence has a message of its own. */
export const dealSchema = z.object({
  other: z.custom<Party | null>((value) => value !== null, say('user.required')),
  price: z.string().check(
    z.refine(hasPrice, { error: say('required'), abort: true }),
    z.refine((text) => (parseCents(text) ?? 0) <= MAX_PRICE, say('price.range')),
  ),
  description: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('required'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_DESCRIPTION, say('description.long')),
  ),
  me: z.string().check(z.minLength(1, say('notAuthenticated'))),
  role: z.custom<Side | ''>((value) => value !== '', say('role.required')),
  days: z.string().check(z.minLength(1, say('days.required'))),
  check: z.string().check(z.refine(hasCheckDays, say('check.range'))),
});
export type DealValues = z.infer<typeof dealSchema>;

export const EMPTY_DEAL: DealValues = { other: null, price: '', description: '', me: '', role: '', days: '', check: '3' };

/** The order in which the rules are checked: the toast says the first that is broken (docs/rules.md#deal-create). */
export const DEAL_FIELDS = ['other', 'price', 'description', 'me', 'role', 'days', 'check'] as const;

/** What is sent for checked values. */
export function dealBody({ other, price, description, me, role, days, check }: DealValues) {
  const otherId = other?._id ?? '';
  return {
    price: centsToWire(parseCents(price) ?? 0),
    description,
    deliveryDuration: Number(days),
    inspectionDays: Number(check),
    buyerId: role === 'buyer' ? me : otherId,
    sellerId: role === 'buyer' ? otherId : me,
  };
}

/** The server's names of the fields and ours. */
export const SERVER_FIELDS = {
  buyerId: 'other',
  sellerId: 'other',
  price: 'price',
  description: 'description',
  deliveryDuration: 'days',
  inspectionDays: 'check',
} as const;
