import type * as english from '../en/shell';
import type { Translation } from '../texts';

export const shell: Translation<typeof english.shell> = {
  skip: 'মূল অংশে যান',
  main: 'প্রধান মেনু',
  login: 'লগ ইন',
  join: 'যোগ দিন',
  marketplace: 'মার্কেটপ্লেস',
  verify: 'আপনার ইমেইলটি যাচাই করুন।',
  'verify.again': 'আবার পাঠান',
  'verify.wrong': 'ঠিকানা ভুল?',
  languageKept: 'নতুন ভাষাটি শুধু এই ডিভাইসে চালু হয়েছে। ইমেইল ও নোটিফিকেশন এখনো আগের ভাষাতেই আসবে।',
  otherLanguage: 'English',
  themeDark: 'ডার্ক',
  themeLight: 'লাইট',
  toDark: 'ডার্ক থিম চালু করুন',
  toLight: 'লাইট থিম চালু করুন',
  checking: 'লোড হচ্ছে',
  offline: 'ইন্টারনেট নেই। যা দেখছেন তা পুরোনো হতে পারে।',
  held: 'আমানতের খেয়ানত হয় না।',
  start: 'লেনদেন শুরু করুন',
  neutral: 'ক্রেতা ও বিক্রেতার মাঝে নিরপেক্ষ তৃতীয় পক্ষ। ১৮ বছর ও তার বেশি বয়সীদের জন্য।',
  payment: 'টাকা দেওয়ার উপায়',
  paymentMethods: 'বিকাশ, নগদ (পার্সোনাল)',
  company: 'কোম্পানি',
  about: 'আমাদের কথা',
  leaders: 'আমাদের নেতৃত্ব',
  papers: 'সরকারি কাগজপত্র',
  terms: 'শর্তাবলি',
  privacy: 'গোপনীয়তা',
  help: 'সাহায্য',
  contact: 'যোগাযোগ',
  reportBug: 'সাইটে সমস্যা? জানান',
  display: 'ভাষা ও থিম',
  'notFound.title': 'পেজটি পাওয়া যায়নি',
  'notFound.text': 'ঠিকানায় ভুল থাকতে পারে, অথবা পেজটি সরানো হয়েছে।',
  'notFound.home': 'হোম পেজে যান',
  'notFound.page': 'পাওয়া যায়নি',
  'failed.title': 'পেজটি আনা গেল না।',
  'failed.page': 'কিছু একটা গোলমাল হয়েছে',
};

export const live: Translation<typeof english.live> = {
  lost: 'সরাসরি আপডেট আপাতত বন্ধ। বাকি সব ঠিকমতো চলছে; কয়েক সেকেন্ড পরপর নতুন খবর আনা হচ্ছে।',
};

export const pauses: Translation<typeof english.pauses> = {
  money: 'অল্প সময়ের জন্য লেনদেন বন্ধ আছে। আপনার টাকা নিরাপদ, ডিলগুলো যেমন ছিল তেমনই আছে।',
  deposits: 'অল্প সময়ের জন্য টাকা যোগ বন্ধ আছে। এখন টাকা পাঠাবেন না।',
  withdrawals: 'অল্প সময়ের জন্য উত্তোলন বন্ধ আছে। আপনার ব্যালেন্স নিরাপদ।',
};

export const terms: Translation<typeof english.terms> = {
  updated: 'আমাদের <terms>শর্তাবলি</terms> ও <privacy>গোপনীয়তা নীতি</privacy> হালনাগাদ করেছি। পড়ে সম্মতি দিন।',
  accept: 'সম্মতি দিচ্ছি',
  accepted: 'ধন্যবাদ।',
  failed: 'কিছু একটা গোলমাল হয়েছে',
};

export const notifications: Translation<typeof english.notifications> = {
  title: 'নোটিফিকেশন',
  unread: 'নোটিফিকেশন, কিছু এখনো পড়া হয়নি',
  arrived: 'আপনার না-পড়া নোটিফিকেশন আছে।',
  none: 'এখনো কোনো নোটিফিকেশন নেই।',
  noneText: 'আপনার ডিল ও টাকার খবর এখানে পাবেন।',
  loading: 'আরও নোটিফিকেশন আনা হচ্ছে...',
  failed: 'নোটিফিকেশন আনা গেল না।',
  readAll: 'সব পঠিত হিসেবে চিহ্নিত করুন',
  isUnread: 'পড়া হয়নি।',
  justNow: 'এইমাত্র',
};
