import type { activity as english } from '../en/activity';
import type { Translation } from '../texts';

export const activity: Translation<typeof english> = {
  title: 'সাম্প্রতিক কার্যকলাপ',
  text: 'গত ৯০ দিনের। এর কোনোটি আপনি না করে থাকলে পাসওয়ার্ড বদলে নিন।',
  failed: 'তালিকাটি আনা গেল না।',
  'kind.account_opened': 'অ্যাকাউন্ট খোলা হয়েছে',
  'kind.login': 'লগ ইন করা হয়েছে',
  'kind.login_failed': 'ভুল পাসওয়ার্ডে লগ ইনের চেষ্টা',
  'kind.factor_failed': 'ভুল কোড বা পাসকি',
  'kind.passkey_copied': 'নকল পাসকি ফিরিয়ে দেওয়া হয়েছে',
  'kind.password_changed': 'পাসওয়ার্ড বদলানো হয়েছে',
  'kind.reset_asked': 'ইমেইলে নতুন পাসওয়ার্ডের লিংক চাওয়া হয়েছে',
  'kind.password_reset': 'ইমেইলের লিংক দিয়ে নতুন পাসওয়ার্ড দেওয়া হয়েছে',
  'kind.email_verified': 'ইমেইল যাচাই হয়েছে',
  'kind.email_asked': 'ইমেইল বদলাতে চাওয়া হয়েছে',
  'kind.email_changed': 'ইমেইল বদলানো হয়েছে',
  'kind.email_undone': 'আগের ইমেইলে ফেরা হয়েছে',
  'kind.app_added': 'অথেনটিকেটর অ্যাপ চালু হয়েছে',
  'kind.app_removed': 'অথেনটিকেটর অ্যাপ বন্ধ হয়েছে',
  'kind.passkey_added': 'পাসকি যোগ হয়েছে',
  'kind.passkey_removed': 'পাসকি সরানো হয়েছে',
  'kind.codes_made': 'নতুন ব্যাকআপ কোড তৈরি হয়েছে',
  'kind.others_ended': 'অন্য সব জায়গা থেকে লগ আউট করা হয়েছে',
  'kind.withdrawals_stopped': 'উত্তোলন থামানো হয়েছে',
  'kind.withdrawal_confirmed': 'আটকে রাখা উত্তোলন নিশ্চিত করা হয়েছে',
};
