import type { findUser as english } from '../en/find-user';
import type { Translation } from '../texts';

export const findUser: Translation<typeof english> = {
  list: 'যাঁদের পাওয়া গেছে',
  searching: 'খোঁজা হচ্ছে…',
  found: { one: '{count} জন পাওয়া গেছে', other: '{count} জন পাওয়া গেছে' },
  none: 'কাউকে পাওয়া যায়নি।',
  failed: 'ব্যবহারকারী খোঁজা গেল না',
  clear: 'অন্য কাউকে বেছে নিন',
};
