import { texts } from '../texts';

/** A user as everybody sees him. Messages of SPEC §8 stand here word for word. */
export const profile = texts('profile', {
  stars: { one: '{count} star', other: '{count} stars' },
  score: 'Success score',
  noScore: 'No finished deals yet',
  percent: '{score}%',
  rating: 'Average rating',
  noRating: 'No reviews yet',
  ofReviews: { one: 'of {count} review', other: 'of {count} reviews' },

  page: 'Profile of {name}',
  since: 'Member since {month}',
  verified: 'Email verified',
  reviewsTitle: 'Reviews',
  reviewCount: 'Reviews',
  noReviews: 'No reviews yet',
  noReviewsText: 'Buyers may write one after a completed deal.',
  postsTitle: 'Posts',
  noPosts: 'No posts yet',
  noPostsText: '{name} offers nothing at the moment.',
  newest: { one: 'The newest {count} is shown.', other: 'The newest {count} are shown.' },
  message: 'Message {name}',
  report: 'Report this user',
  reportText: 'Something is wrong with this user?',
  copy: 'Copy link',
  copyOf: 'to this profile',
  yours: 'This is how others see you.',
  edit: 'Edit profile',
  missing: 'User not found',
  missingText: 'The name may be mistyped.',
  toMarket: 'To the marketplace',
});
