import type { adminFeedback as english } from '../en/admin-feedback';
import type { Translation } from '../texts';

export const adminFeedback: Translation<typeof english> = {
  bugs: 'ত্রুটির রিপোর্ট',
  bugsPage: 'ত্রুটির রিপোর্ট, অ্যাডমিন',
  bugsFailed: 'ত্রুটির রিপোর্টগুলো আনা গেল না।',
  bugsEmpty: 'কোনো ত্রুটির রিপোর্ট নেই।',
  bug: 'ত্রুটির রিপোর্ট',
  contacts: 'যোগাযোগের মেসেজ',
  contactsPage: 'যোগাযোগের মেসেজ, অ্যাডমিন',
  contactsFailed: 'যোগাযোগের মেসেজগুলো আনা গেল না।',
  contactsEmpty: 'কোনো মেসেজ নেই।',
  contact: 'যোগাযোগের মেসেজ',
  from: 'যিনি লিখেছেন',
  words: 'যা লিখেছেন',
  username: 'ইউজারনেম',
  name: 'নাম',
  email: 'ইমেইল',
  received: 'এসেছে',
  visitor: 'একজন দর্শক',
  notSignedIn: 'লগ ইন করা ছিল না',
  answer: 'ইমেইলে উত্তর দিন',
  answerTo: 'উত্তর: {subject}',
  contactBy: '{name}-এর মেসেজ',
};
