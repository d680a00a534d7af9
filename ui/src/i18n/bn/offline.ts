import type { offline as english } from '../en/offline';
import type { Translation } from '../texts';

export const offline: Translation<typeof english> = {
  title: 'আপনি অফলাইনে আছেন',
  text: 'ইন্টারনেট এলে পেজটি আবার খুলবে।',
  nothing: 'এই ডিভাইসে কোনো ব্যালেন্স বা ডিল রাখা নেই।',
  old: 'শেষবার যা দেখেছিলেন, তা-ই এখানে আছে। এর মধ্যে বদলে গিয়ে থাকতে পারে।',
  balance: 'ব্যালেন্স',
  own: 'আপনার ব্যালেন্স',
  held: 'আমানতে জমা',
  deals: 'চলমান ডিল',
  noDeals: 'কোনো চলমান ডিল নেই',
  moreDeals: { one: 'আরও {count}টি ডিল', other: 'আরও {count}টি ডিল' },
  asOf: '{when} পর্যন্ত',
  with: '{name}-এর সঙ্গে',
  deposit: 'টাকা যোগ করুন',
  withdraw: 'উত্তোলন করুন',
  noMoney: 'ইন্টারনেট ছাড়া টাকা যোগ, উত্তোলন বা পেমেন্ট করা যায় না, কিছু পাঠানোও যায় না।',
};
