import type { profile as english } from '../en/profile';
import type { Translation } from '../texts';

export const profile: Translation<typeof english> = {
  stars: { one: '{count} তারা', other: '{count} তারা' },
  score: 'সাফল্যের হার',
  noScore: 'এখনো কোনো ডিল শেষ হয়নি',
  percent: '{score}%',
  rating: 'গড় রেটিং',
  noRating: 'এখনো মতামত নেই',
  ofReviews: { one: '{count}টি মতামত থেকে', other: '{count}টি মতামত থেকে' },

  page: '{name}-এর প্রোফাইল',
  since: '{month} থেকে সদস্য',
  verified: 'ইমেইল যাচাই করা',
  reviewsTitle: 'মতামত',
  reviewCount: 'মতামত',
  noReviews: 'এখনো মতামত নেই',
  noReviewsText: 'ডিল শেষ হলে ক্রেতারা মতামত লিখতে পারেন।',
  postsTitle: 'পোস্ট',
  noPosts: 'এখনো কোনো পোস্ট নেই',
  noPostsText: '{name} এখন কিছু বিক্রি করছেন না।',
  newest: { one: 'সর্বশেষ {count}টি দেখানো হচ্ছে।', other: 'সর্বশেষ {count}টি দেখানো হচ্ছে।' },
  message: '{name}-কে বার্তা পাঠান',
  report: 'অভিযোগ জানান',
  reportText: 'এই ব্যবহারকারীকে নিয়ে কোনো সমস্যা?',
  copy: 'লিংক কপি',
  copyOf: 'এই প্রোফাইলের',
  yours: 'অন্যরা আপনাকে এভাবে দেখেন।',
  edit: 'প্রোফাইল সম্পাদনা',
  missing: 'ব্যবহারকারী পাওয়া যায়নি',
  missingText: 'নামে ভুল থাকতে পারে।',
  toMarket: 'মার্কেটপ্লেসে যান',
};
