import type { Party, Post } from '@/api/contract';
import { inspectionDays } from '@/entities/post/inspection-days';
import { MAX_DESCRIPTION } from '@/lib/rules';
import { priceText } from '../terms/terms-schema';
import { type DealValues, EMPTY_DEAL } from './create-schema';

/** What is known of a new deal before its dialog opens: with whom, and about which post of one of the two. */
export type DealStart = { other: Party; post: Post | null };

/** Tells one start from another: what somebody types on top of it is kept apart from other drafts. */
export const aboutOf = (start: DealStart | null): string => [start?.other._id, start?.post?._id].filter(Boolean).join(':');

/** The words of the post, so that both agree to what it promises; its title is that of the deal. */
const descriptionOf = ({ title, description }: Post) =>
  Array.from(`${title}\n\n${description}`.trim()).slice(0, MAX_DESCRIPTION).join('');

/** What the dialog holds at first. The owner of the post sells. */
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
    check: String(inspectionDays(post.subcategory)),
  };
}
