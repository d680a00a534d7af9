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

/** Stands for somebody who is not found by a username: they get a link. */
export const GUEST: Party = { _id: '', username: '', profilePic: '', isStaff: false };
export const isGuest = (other: Party | null) => other?._id === GUEST._id;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^01\d{9}$/;
/** Where the link goes, which may be left open. */
const isContact = (text: string) => text === '' || EMAIL.test(text) || PHONE.test(text);

const hasCheckDays = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_CHECK;

/** A price of nothing counts as no price, as on the server. */
const hasPrice = (text: string) => (parseCents(text) ?? 0) > 0;

/** The fields of a new deal (docs/rules.md#deal-create). `me` is no field: it is the id of the signed-in user, whose absence has a message of its own. */
export const dealSchema = z.object({
  other: z.custom<Party | null>((value) => value !== null, say('user.required')),
  contact: z.string().check(z.trim(), z.refine(isContact, say('guest.invalid'))),
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

export const EMPTY_DEAL: DealValues = {
  other: null,
  contact: '',
  price: '',
  description: '',
  me: '',
  role: '',
  days: '',
  check: '3',
};

/** The order in which the rules are checked: the toast says the first that is broken (docs/rules.md#deal-create). */
export const DEAL_FIELDS = ['other', 'contact', 'price', 'description', 'me', 'role', 'days', 'check'] as const;

/** An email address or a phone number, as it is sent. */
function guestOf(contact: string) {
  if (contact === '') return {};
  return EMAIL.test(contact) ? { email: contact } : { phone: contact };
}

/** What is sent for checked values. */
export function dealBody({ other, contact, price, description, me, role, days, check }: DealValues) {
  const guest = isGuest(other);
  const otherId = other?._id ?? '';
  const ids = { buyerId: role === 'buyer' ? me : otherId, sellerId: role === 'buyer' ? otherId : me };
  const own = role === 'buyer' ? { buyerId: me } : { sellerId: me };
  return {
    price: centsToWire(parseCents(price) ?? 0),
    description,
    deliveryDuration: Number(days),
    inspectionDays: Number(check),
    ...(guest ? { ...own, invite: guestOf(contact) } : ids),
  };
}

/** The server's names of the fields and ours. */
export const SERVER_FIELDS = {
  buyerId: 'other',
  sellerId: 'other',
  email: 'contact',
  phone: 'contact',
  price: 'price',
  description: 'description',
  deliveryDuration: 'days',
  inspectionDays: 'check',
} as const;
