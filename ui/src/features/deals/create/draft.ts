import { type Draft, textDraft } from '@/lib/draft';
import { type DealValues, GUEST, isGuest } from './create-schema';

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
