import type { adminChat as english } from '../en/admin-chat';
import type { Translation } from '../texts';

export const adminChat: Translation<typeof english> = {
  page: 'চ্যাট পরিদর্শন, অ্যাডমিন',
  title: 'চ্যাট পরিদর্শন',
  logged: 'অন্যের মেসেজ ব্যক্তিগত। প্রতিবার দেখলে আপনার নাম, দুজনের নাম ও সময় লগে লেখা হয়, পুরোনো প্রতিটি পেজের জন্যও।',
  log: 'যতবার দেখা হয়েছে',
  one: 'একজন ব্যবহারকারী',
  other: 'অন্যজন',
  show: 'মেসেজ দেখান',
  choose: 'আগে দুজন ব্যবহারকারী বেছে নিন।',
  'rule.two': 'দুজন আলাদা ব্যবহারকারী বেছে নিন।',
  failed: 'মেসেজ আনা গেল না',
  none: 'কোনো মেসেজ পাওয়া যায়নি',
  noneText: 'এই দুজন একে অপরকে কিছু লেখেননি।',
  between: '{one} ও {other}-এর মেসেজ',
  older: 'আরও পুরোনো মেসেজ দেখান',
  beginning: 'কথোপকথন এখান থেকে শুরু।',
  image: '{name}-এর পাঠানো ছবি',
  sentRead: '{time}, পড়া হয়েছে',
  sentUnread: '{time}, পড়া হয়নি',
  reported: 'রিপোর্ট করা মেসেজ',
  erased: 'মেসেজটি মুছে ফেলা হয়েছে।',
};
