import type { Party, Post } from '@/api/contract';

/** A party without a username, who gets a link. */
export const GUEST: Party = { _id: '', username: '', profilePic: '', isStaff: false };
export const isGuest = (other: Party | null) => other?._id === GUEST._id;

/** Initial values of a new deal: the other party, and a post of either. */
export type DealStart = { other: Party; post: Post | null };

export const BY_LINK: DealStart = { other: GUEST, post: null };

/** Names the start, because each has its own draft. */
export const aboutOf = (start: DealStart | null): string =>
  start === BY_LINK ? 'link' : [start?.other._id, start?.post?._id].filter(Boolean).join(':');
