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

export const member: Translation<typeof english.member> = {
  explore: 'মার্কেটপ্লেস দেখুন',
  deals: 'ডিল',
  home: 'হোম',
  balance: 'ব্যালেন্স',
  admin: 'অ্যাডমিন',
  profileMenu: 'প্রোফাইল মেনু',
  settings: 'সেটিংস',
  profile: 'প্রোফাইল',
  security: 'নিরাপত্তা',
  notifications: 'নোটিফিকেশন',
  posts: 'পোস্ট',
  refer: 'বন্ধুকে আমন্ত্রণ',
  help: 'সাহায্য',
  logout: 'লগ আউট',
  loggedOut: 'লগ আউট হয়েছে!',
  logoutFailed: 'কিছু একটা গোলমাল হয়েছে',
  balanceIs: 'ব্যালেন্স {sum}',
  'verify.sent': 'যাচাইয়ের লিংক আপনার ইমেইলে পাঠানো হয়েছে।',
  market: 'মার্কেট',
  chat: 'চ্যাট',
  chatUnread: 'চ্যাট, না পড়া মেসেজ আছে',
  me: 'আমি',
  meMenu: 'আমি: প্রোফাইল মেনু',
  places: 'প্রধান পেজগুলো',
  'ended.title': 'আপনার সেশন শেষ হয়েছে।',
  'ended.text': 'লগ ইন করে যেখানে ছিলেন সেখান থেকে শুরু করুন। যা লিখেছিলেন তা আছে।',
  'ended.leave': 'এই পেজ ছেড়ে যান',
};
