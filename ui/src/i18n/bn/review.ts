import type { review as english } from '../en/review';
import type { Translation } from '../texts';

export const review: Translation<typeof english> = {
  open: '{name}-কে রিভিউ দিন',
  why: 'কেমন হলো লিখুন: {name}-এর সঙ্গে ডিলের আগে অন্যরা এটি দেখবেন।',
  given: 'আপনি {name}-কে রিভিউ দিয়েছেন।',
  never: '{name} এই ডিলে কখনো রাজি হননি, তাই রিভিউ দেওয়া যাবে না।',
  refunded: 'আপনি বেশির ভাগ টাকা ফেরত পেয়েছেন, তাই {name}-কে রিভিউ দেওয়া যাবে না।',
  title: '{name}-এর সঙ্গে ডিল কেমন হলো?',
  lede: 'আপনার রিভিউ {name}-এর প্রোফাইলে দেখা যাবে।',
  rating: 'আপনার রেটিং',
  stars: { one: '{count} তারা', other: '{count} তারা' },
  'star.1': 'খারাপ',
  'star.2': 'ভালো নয়',
  'star.3': 'মোটামুটি',
  'star.4': 'ভালো',
  'star.5': 'খুব ভালো',
  comment: 'আপনার মতামত',
  commentHelp: 'কী ভালো হলো, কী হলো না?',
  hint: 'তারা বেছে নিন আর দু-চার কথা লিখুন।',
  long: 'রিভিউ ২,০০০ অক্ষরের বেশি হতে পারে না।',
  send: 'রিভিউ পাঠান',
  later: 'পরে',
  done: 'রিভিউ পাঠানো হয়েছে!',
  failed: 'আপনি আগেই এই বিক্রেতাকে রিভিউ দিয়েছেন।',
};
