import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { type DealValues, EMPTY_DEAL } from './create-schema';

const nameOf = (userId: string): string => `deal:${userId}`;

/** The store takes texts only, so the other party is three of them. Who makes the deal is not typed. */
function textsOf({ other, price, description, role, days, check }: DealValues) {
  const party = { otherId: other?._id ?? '', otherName: other?.username ?? '', otherPicture: other?.profilePic ?? '' };
  return { price, description, role, days, check, ...party };
}

/** What the user had typed into a new deal when he left the page, or lost it. */
export function readDealDraft(userId: string): DealValues {
  const { otherId, otherName, otherPicture, role, ...rest } = readDraft<Record<string, string>>(
    nameOf(userId),
    textsOf(EMPTY_DEAL),
  );
  return {
    ...EMPTY_DEAL,
    ...rest,
    role: role === 'buyer' || role === 'seller' ? role : '',
    other: otherId ? { _id: otherId, username: otherName ?? '', profilePic: otherPicture ?? '' } : null,
  };
}

export function keepDealDraft(userId: string, values: DealValues): void {
  keepDraft(nameOf(userId), textsOf(values), textsOf(EMPTY_DEAL));
}

export function dropDealDraft(userId: string): void {
  dropDraft(nameOf(userId));
}
