import * as z from 'zod/mini';
import type { Party } from '@/api/contract';
import type { Side } from '@/entities/deal/rules';
import { cleanPhone, isPhone } from '@/entities/wallet/mobile-money';
import type { Key } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import { EMAIL } from '@/lib/rules';
import { SERVER_TERMS, termsBody, termsRules } from '../terms/terms-schema';

const say = (key: Key<typeof deals>): Key<typeof deals> => key;

/** A party without a username, who gets a link. */
export const GUEST: Party = { _id: '', username: '', profilePic: '', isStaff: false };
export const isGuest = (other: Party | null) => other?._id === GUEST._id;

/** A number in any notation: ০১৭১২ ৩৪৫৬৭৮, +880 1712-345678. */
const WRITTEN_PHONE = /^[\d০-৯\s()+-]+$/;
const isContactPhone = (text: string) => WRITTEN_PHONE.test(text) && isPhone(cleanPhone(text));
const isContact = (text: string) => text === '' || EMAIL.test(text) || isContactPhone(text);

/** docs/rules.md#deal-create. `me`, the user's id, is no field but has a message when missing. */
export const dealSchema = z.object({
  other: z.custom<Party | null>((value) => value !== null, say('user.required')),
  contact: z.string().check(z.trim(), z.refine(isContact, say('guest.invalid'))),
  ...termsRules,
  me: z.string().check(z.minLength(1, say('notAuthenticated'))),
  role: z.custom<Side | ''>((value) => value !== '', say('role.required')),
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

/** The order of the rules (docs/rules.md#deal-create): the toast names the first broken one. */
export const DEAL_FIELDS = ['other', 'contact', 'price', 'description', 'me', 'role', 'days', 'check'] as const;

function guestOf(contact: string) {
  if (contact === '') return {};
  return EMAIL.test(contact) ? { email: contact } : { phone: cleanPhone(contact) };
}

export function dealBody({ other, contact, me, role, ...terms }: DealValues) {
  const guest = isGuest(other);
  const otherId = other?._id ?? '';
  const ids = { buyerId: role === 'buyer' ? me : otherId, sellerId: role === 'buyer' ? otherId : me };
  const own = role === 'buyer' ? { buyerId: me } : { sellerId: me };
  return {
    ...termsBody(terms),
    ...(guest ? { ...own, invite: guestOf(contact) } : ids),
  };
}

/** The form's names of the server's fields. */
export const SERVER_FIELDS = {
  buyerId: 'other',
  sellerId: 'other',
  email: 'contact',
  phone: 'contact',
  ...SERVER_TERMS,
} as const;
