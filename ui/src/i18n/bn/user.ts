import type * as english from '../en/user';
import type { Translation } from '../texts';

export const user: Translation<typeof english.user> = {
  staff: 'আমানতের কর্মী',
  closed: 'বন্ধ অ্যাকাউন্ট',
  reviewErased: 'এই রিভিউয়ের লেখা মুছে ফেলা হয়েছে।',
};

export const browser: Translation<typeof english.browser> = {
  on: '{system}-এ {browser}',
  unknown: 'অচেনা ব্রাউজার',
};

export const findUser: Translation<typeof english.findUser> = {
  list: 'যাঁদের পাওয়া গেছে',
  searching: 'খোঁজা হচ্ছে…',
  found: { one: '{count} জন পাওয়া গেছে', other: '{count} জন পাওয়া গেছে' },
  none: 'কাউকে পাওয়া যায়নি।',
  failed: 'ব্যবহারকারী খোঁজা গেল না',
  clear: 'অন্য কাউকে বেছে নিন',
};
