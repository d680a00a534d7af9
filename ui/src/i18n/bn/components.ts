import type * as english from '../en/components';
import type { Translation } from '../texts';

export const lists: Translation<typeof english.lists> = {
  showMore: { one: 'আরও {count}টি দেখুন', other: 'আরও {count}টি দেখুন' },
  showMoreFailed: 'বাকিটা আনা গেল না।',
  pageOf: 'পেজ {page}, মোট {pages}',
};

export const money: Translation<typeof english.money> = {
  usd: 'USD',
  bdt: 'টাকা',
  noRate: 'ডলারের দর আনা গেল না',
  amountUnread: 'পরিমাণটি সংখ্যায় লিখুন, যেমন ১২৫০.৫০।',
};

export const period: Translation<typeof english.period> = {
  title: 'দিন',
  lifetime: 'শুরু থেকে',
  days: { one: '{count} দিন', other: '{count} দিন' },
  custom: 'তারিখ বেছে নিন',
  first: 'প্রথম দিন',
  last: 'শেষ দিন',
  show: 'দেখান',
  order: 'শেষ দিন প্রথম দিনের আগে হতে পারে না।',
  empty: 'প্রথম বা শেষ দিন বেছে নিন।',
};

export const pictures: Translation<typeof english.pictures> = {
  before: 'আগের ছবি',
  next: 'পরের ছবি',
  place: '{count}টির মধ্যে {at}',
};

export const share: Translation<typeof english.share> = {
  share: 'শেয়ার করুন',
  title: 'লিংকটি শেয়ার করুন',
  qr: 'লিংকের কিউআর কোড',
  qrText: 'অথবা সামনে থাকলে স্ক্যান করতে দিন।',
  other: 'অন্য অ্যাপ',
  whatsapp: 'হোয়াটসঅ্যাপ',
  messenger: 'মেসেঞ্জার',
  copy: 'লিংক কপি করুন',
  copyOf: 'লিংকটি কপি হবে',
  copied: 'লিংক কপি হয়েছে',
  failed: 'শেয়ার করা গেল না। লিংকটি কপি করে নিন।',
};
