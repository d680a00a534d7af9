import type { errors as english } from '../en/errors';
import type { Translation } from '../texts';

export const errors: Translation<typeof english> = {
  somethingWrong: 'কিছু একটা গোলমাল হয়েছে',
  reference: 'সাহায্য চাইলে এই কোডটি জানান: {id}',
  'advice.offline': 'ইন্টারনেট সংযোগ দেখে আবার চেষ্টা করুন।',
  'advice.missing': 'ইন্টারনেট সংযোগ দেখে আবার চেষ্টা করুন, অথবা পেজটি আবার লোড করুন।',
  'advice.server': 'সমস্যাটি আমাদের দিকে। একটু পরে আবার চেষ্টা করুন।',
  'advice.seconds': { one: '{count} সেকেন্ড পরে আবার চেষ্টা করুন।', other: '{count} সেকেন্ড পরে আবার চেষ্টা করুন।' },
  'advice.minutes': { one: '{count} মিনিট পরে আবার চেষ্টা করুন।', other: '{count} মিনিট পরে আবার চেষ্টা করুন।' },
  'advice.hours': { one: '{count} ঘণ্টা পরে আবার চেষ্টা করুন।', other: '{count} ঘণ্টা পরে আবার চেষ্টা করুন।' },
};
