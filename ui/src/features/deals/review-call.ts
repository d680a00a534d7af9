import { idempotent } from '@/lib/api';
import { ApiError } from '@/lib/errors';

export type NewReview = { reviewedUser: string; rating: number; comment: string; dealId: string };

/** POST /reviews: the buyer's review of the seller of a completed deal. Any refusal or lost connection throws an ApiError. */
export async function sendReview(review: NewReview, key: string): Promise<void> {
  let response: Response;
  try {
    response = await globalThis.fetch(`${window.location.origin}/api/reviews`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json', ...idempotent(key) },
      body: JSON.stringify(review),
    });
  } catch (cause) {
    throw ApiError.network(cause);
  }
  if (!response.ok) throw ApiError.fromAnswer(response, await response.json().catch(() => null));
}
