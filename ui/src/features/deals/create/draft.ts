import { type Draft, textDraft } from '@/lib/draft';
import { type DealValues, GUEST, isGuest } from './create-schema';

/** The store takes texts only, so the other party is four of them. Who makes the deal is not typed. */
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

/** What the user has typed into a new deal; one with somebody, or about a post, has a draft of its own. */
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
