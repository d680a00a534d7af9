import type { Party, Post } from '@/api/contract';
import { inspectionDays } from '@/entities/post/subcategories';
import { MAX_DESCRIPTION } from '@/lib/rules';
import { priceText } from '../terms/terms-schema';
import { type DealValues, EMPTY_DEAL } from './create-schema';

/** Initial values of a new deal: the other party, and a post of either. */
export type DealStart = { other: Party; post: Post | null };

/** Names the start, because each has its own draft. */
export const aboutOf = (start: DealStart | null): string => [start?.other._id, start?.post?._id].filter(Boolean).join(':');

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
    check: String(inspectionDays(post.subcategory)),
  };
}
