import type { common as english } from '../en/common';
import type { Translation } from '../texts';

export const common: Translation<typeof english> = {
  amanat: 'আমানত',
  home: 'আমানত, হোম পেজ',
  title: '{page} | আমানত',
  close: 'বন্ধ করুন',
  cancel: 'থাক',
  back: 'ফিরে যান',
  retry: 'আবার চেষ্টা করুন',
  loading: 'লোড হচ্ছে',
  previous: 'আগের',
  next: 'পরের',
  showMore: { one: 'আরও {count}টি দেখুন', other: 'আরও {count}টি দেখুন' },
  showMoreFailed: 'বাকিটা আনা গেল না।',
  pageOf: 'পেজ {page}, মোট {pages}',
  notices: 'মেসেজ',
  copyFailed: 'কপি করা গেল না। লেখাটি বেছে নিয়ে হাতে কপি করুন।',
  copied: 'কপি হয়েছে',
  usd: 'USD',
  bdt: 'টাকা',
  rate: '১ USD = {taka}',
  noRate: 'ডলারের দর আনা গেল না',
  processing: 'পেমেন্ট চলছে',
  sending: 'পাঠানো হচ্ছে…',
  you: 'আপনি',
  error: 'সমস্যা: {message}',
};
