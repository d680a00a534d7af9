import { type Draft, textDraft } from '@/lib/draft';
import type { DealValues } from './create-schema';

/** The store takes texts only, so the other party is four of them. Who makes the deal is not typed. */
function textsOf({ other, price, description, role, days, check }: DealValues) {
  const party = {
    otherId: other?._id ?? '',
    otherName: other?.username ?? '',
    otherPicture: other?.profilePic ?? '',
    otherStaff: other?.isStaff ? 'staff' : '',
  };
  return { price, description, role, days, check, ...party };
}

/** What the user has typed into a new deal. */
export function dealDraft(userId: string): Draft<DealValues> {
  const draft = textDraft(`deal:${userId}`);
  return {
    read: (empty) => {
      const { otherId, otherName, otherPicture, otherStaff, role, ...rest } = draft.read(textsOf(empty));
      return {
        ...empty,
        ...rest,
        role: role === 'buyer' || role === 'seller' ? role : '',
        other: otherId ? { _id: otherId, username: otherName, profilePic: otherPicture, isStaff: otherStaff !== '' } : null,
      };
    },
    keep: (values, empty) => draft.keep(textsOf(values), textsOf(empty)),
    drop: draft.drop,
  };
}
