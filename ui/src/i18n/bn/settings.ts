import type { settings as english } from '../en/settings';
import type { Translation } from '../texts';

export const settings: Translation<typeof english> = {
  own: 'প্রোফাইল',
  seeOwn: 'অন্যরা যেভাবে দেখেন',
  account: 'আপনার অ্যাকাউন্ট',
  username: 'ইউজারনেম',
  usernameHelp: 'প্রোফাইল লিংকে এই নাম থাকে, তাই বদলানো যায় না।',
  email: 'ইমেইল',
  emailVerified: 'যাচাই করা',
  emailUnverified: 'এখনো যাচাই হয়নি',
  password: 'পাসওয়ার্ড',
  picture: 'প্রোফাইল ছবি',
  pictureHelp: 'ছবি বা লোগো, যা দেখে মানুষ আপনাকে চিনবে। সবাই দেখতে পান।',
  choose: 'ছবি বেছে নিন',
  change: 'ছবি বদলান',
  remove: 'ছবি সরান',
  saving: 'সংরক্ষণ হচ্ছে…',
  updated: 'প্রোফাইল হালনাগাদ হয়েছে!',
  notImage: 'একটি ছবির ফাইল বেছে নিন!',
  unreadable: 'এই ছবিটি এখানে পড়া যাচ্ছে না। JPEG বা PNG করে আবার বেছে নিন।',
  updateFailed: 'কিছু একটা গোলমাল হয়েছে',

  preferences: 'ভাষা ও নোটিফিকেশন',
  language: 'ভাষা',
  languageHelp: 'এই সাইট, আর আপনাকে পাঠানো ইমেইল ও নোটিফিকেশনের ভাষা।',
  english: 'English',
  bangla: 'বাংলা',
  notifications: 'আপনি সাইটে না থাকলে ইমেইল ও পুশ নোটিফিকেশনে যা যা জানাই।',
  toNotifications: 'নোটিফিকেশনের সেটিংস',

  security: 'নিরাপত্তা',
  securityText: 'আপনার পাসওয়ার্ড, দুই ধাপের লগ ইন, আর কোথায় কোথায় লগ ইন আছে।',
  securityOn: 'দুই ধাপের লগ ইন চালু আছে।',
  securityOff: 'দুই ধাপের লগ ইন বন্ধ আছে।',
  toSecurity: 'নিরাপত্তার সেটিংস',
};
