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
