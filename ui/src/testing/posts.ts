import type { Post, PostListing, Profile, Review } from '@/api/contract';
import { nusrat } from './server';

export const tanvirParty = { _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false };

/** A post by Tanvir. */
export function aPost(over: Partial<Post> = {}): Post {
  return {
    _id: 'p-1',
    title: 'Cooking channel, 41,200 subscribers',
    description: 'Since 2019.\nNo strikes.',
    price: 480,
    category: 'Online Asset',
    subcategory: 'YouTube Channel',
    image: '',
    tags: ['cooking', 'bangla'],
    facts: {},
    headline: [],
    images: over.image ? [over.image] : [],
    seller: null,
    ...{ seen: 0, saves: 0, asked: 0 },
    createdBy: tanvirParty,
    createdAt: '2026-11-08T04:02:00Z',
    updatedAt: '2026-11-08T04:02:00Z',
    hidden: false,
    decisionId: null,
    ...over,
  };
}

/** A page of the public listing. */
export const aListing = (posts: Post[], over: Partial<PostListing> = {}): PostListing => ({
  ...{ posts, totalPages: 1, currentPage: 1, seed: 's', similar: false, total: null, next: null },
  ...over,
});

/** Nusrat's review of Tanvir. */
export function aReview(over: Partial<Review> = {}): Review {
  return {
    _id: 'r-1',
    reviewer: { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false },
    rating: 4,
    comment: 'All as he said.',
    createdAt: '2026-11-09T04:02:00Z',
    ...over,
  };
}

/** Tanvir's public profile. */
export function aProfile(over: Partial<Profile> = {}): Profile {
  return {
    user: { ...tanvirParty, isVerified: true, secondFactor: false, createdAt: '2026-06-01T00:00:00Z' },
    posts: [aPost()],
    postCount: 1,
    reviews: [aReview()],
    successScore: 96,
    completedDeals: 24,
    finishedDeals: 25,
    averageRating: 4,
    ratingCount: 1,
    reviewCount: 1,
    partners: 12,
    volumeBand: '1000_10000',
    typicalDeliveryHours: 18,
    typicalAnswerMinutes: 12,
    ...over,
  };
}
