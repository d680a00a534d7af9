import * as z from 'zod/mini';
import type { Party, Post } from '@/api/contract';
import type { Side } from '@/entities/deal/rules';
import { isSlowTransfer } from '@/entities/post/subcategories';
import { cleanPhone, isPhone } from '@/entities/wallet/mobile-money';
import type { Key } from '@/i18n';
import type { deals } from '@/i18n/en/deals';
import { type Draft, textDraft } from '@/lib/draft';
import { EMAIL, MAX_DESCRIPTION } from '@/lib/rules';
import { hasPrice, priceText, SERVER_TERMS, suggestedDays, termsBody, termsRules } from '../terms/terms-schema';
import { type DealStart, GUEST, isGuest } from './deal-start';

const say = (key: Key<typeof deals>): Key<typeof deals> => key;

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

const EMPTY_DEAL: DealValues = {
  other: null,
  contact: '',
  price: '',
  description: '',
  me: '',
  role: '',
  ...suggestedDays(false),
};

/** Reports whether only the days are left to ask about a deal with a user. */
export const isWhole = ({ other, role, price, description }: DealValues) =>
  other !== null && !isGuest(other) && role !== '' && hasPrice(price) && description !== '';

const WEB_PAGE = /\b(?:landing|web|home)[ -]?page|ল্যান্ডিং পেজ|ওয়েব ?পেজ/gi;
const SLOW_TRANSFER = /\b(?:channel|page|account)\b|চ্যানেল|পেজ|অ্যাকাউন্ট|একাউন্ট/i;

/** Reports whether the words name a channel, page or account. */
export const namesSlowTransfer = (words: string) => SLOW_TRANSFER.test(words.replace(WEB_PAGE, ''));

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

/** The post's text, so that both agree to it; its title becomes the deal's. */
const descriptionOf = ({ title, description }: Post) =>
  Array.from(`${title}\n\n${description}`.trim()).slice(0, MAX_DESCRIPTION).join('');

/** The form's initial values. The post's owner sells. */
export function filledIn(start: DealStart | null): DealValues {
  if (!start) return EMPTY_DEAL;
  const { other, post } = start;
  if (!post) return { ...EMPTY_DEAL, other };
  return {
    ...EMPTY_DEAL,
    other,
    role: post.createdBy._id === other._id ? 'buyer' : 'seller',
    price: priceText(post.price),
    description: descriptionOf(post),
    ...suggestedDays(isSlowTransfer(post.subcategory)),
  };
}

/** Drafts hold texts only, so the other party becomes four of them. */
function textsOf({ other, contact, price, description, role, days, check }: DealValues) {
  const party = {
    guest: isGuest(other) ? 'guest' : '',
    contact,
    otherId: other?._id ?? '',
    otherName: other?.username ?? '',
    otherPicture: other?.profilePic ?? '',
    otherStaff: other?.isStaff ? 'staff' : '',
  };
  return { price, description, role, days, check, ...party };
}

/** The draft of a new deal, one per other party and post. */
export function dealDraft(userId: string, about: string): Draft<DealValues> {
  const draft = textDraft(about === '' ? `deal:${userId}` : `deal:${userId}:${about}`);
  return {
    read: (empty) => {
      const { guest, otherId, otherName, otherPicture, otherStaff, role, ...rest } = draft.read(textsOf(empty));
      return {
        ...empty,
        ...rest,
        role: role === 'buyer' || role === 'seller' ? role : '',
        other: guest
          ? GUEST
          : otherId
            ? { _id: otherId, username: otherName, profilePic: otherPicture, isStaff: otherStaff !== '' }
            : null,
      };
    },
    keep: (values, empty) => draft.keep(textsOf(values), textsOf(empty)),
    drop: draft.drop,
  };
}
