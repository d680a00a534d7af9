import type { member as english } from '../en/member';
import type { Translation } from '../texts';

export const member: Translation<typeof english> = {
  explore: 'মার্কেটপ্লেস দেখুন',
  deals: 'ডিল',
  balance: 'ব্যালেন্স',
  admin: 'অ্যাডমিন',
  security: 'নিরাপত্তা',
  profileMenu: 'প্রোফাইল মেনু',
  profile: 'প্রোফাইল',
  posts: 'পোস্ট',
  refer: 'বন্ধুকে আমন্ত্রণ',
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
