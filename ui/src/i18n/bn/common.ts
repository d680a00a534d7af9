import type * as english from '../en/common';
import type { Translation } from '../texts';

export const common: Translation<typeof english.common> = {
  amanat: 'আমানত',
  home: 'আমানত, হোম পেজ',
  title: '{page} | আমানত',
  close: 'বন্ধ করুন',
  cancel: 'থাক',
  back: 'ফিরে যান',
  retry: 'আবার চেষ্টা করুন',
  reload: 'পেজটি আবার লোড করুন',
  loading: 'লোড হচ্ছে',
  previous: 'আগের',
  next: 'পরের',
  notices: 'মেসেজ',
  copyFailed: 'কপি করা গেল না। লেখাটি বেছে নিয়ে হাতে কপি করুন।',
  copied: 'কপি হয়েছে',
  rate: '১ USD = {taka}',
  processing: 'পেমেন্ট চলছে',
  sending: 'পাঠানো হচ্ছে…',
  you: 'আপনি',
  error: 'সমস্যা: {message}',
};

export const password: Translation<typeof english.password> = {
  show: 'পাসওয়ার্ড দেখান',
  hide: 'পাসওয়ার্ড লুকান',
};

export const errors: Translation<typeof english.errors> = {
  somethingWrong: 'কিছু একটা গোলমাল হয়েছে',
  reference: 'সাহায্য চাইলে এই কোডটি জানান: {id}',
  'advice.offline': 'ইন্টারনেট সংযোগ দেখে আবার চেষ্টা করুন।',
  'advice.missing': 'ইন্টারনেট সংযোগ দেখে আবার চেষ্টা করুন, অথবা পেজটি আবার লোড করুন।',
  'advice.server': 'সমস্যাটি আমাদের দিকে। একটু পরে আবার চেষ্টা করুন।',
  'advice.seconds': { one: '{count} সেকেন্ড পরে আবার চেষ্টা করুন।', other: '{count} সেকেন্ড পরে আবার চেষ্টা করুন।' },
  'advice.minutes': { one: '{count} মিনিট পরে আবার চেষ্টা করুন।', other: '{count} মিনিট পরে আবার চেষ্টা করুন।' },
  'advice.hours': { one: '{count} ঘণ্টা পরে আবার চেষ্টা করুন।', other: '{count} ঘণ্টা পরে আবার চেষ্টা করুন।' },
};
