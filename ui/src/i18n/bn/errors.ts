import type { errors as english } from '../en/errors';
import type { Translation } from '../texts';

export const errors: Translation<typeof english> = {
  somethingWrong: 'কিছু একটা গোলমাল হয়েছে',
  'advice.offline': 'ইন্টারনেট সংযোগ দেখে আবার চেষ্টা করুন।',
  'advice.server': 'দোষটা আপনার নয়। একটু পরে আবার চেষ্টা করুন।',
  'advice.seconds': { one: '{count} সেকেন্ড পরে আবার চেষ্টা করুন।', other: '{count} সেকেন্ড পরে আবার চেষ্টা করুন।' },
  'advice.minutes': { one: '{count} মিনিট পরে আবার চেষ্টা করুন।', other: '{count} মিনিট পরে আবার চেষ্টা করুন।' },
  'advice.hours': { one: '{count} ঘণ্টা পরে আবার চেষ্টা করুন।', other: '{count} ঘণ্টা পরে আবার চেষ্টা করুন।' },
  'code.invalid': 'যা লিখেছেন, আরেকবার দেখে নিন।',
  'code.unauthenticated': 'আবার লগ ইন করুন।',
  'code.invalid_credentials': 'ইউজারনেম বা পাসওয়ার্ড ঠিক নেই',
  'code.forbidden': 'এটি করার অনুমতি আপনার নেই।',
  'code.not_found': 'এটি নেই, অথবা আপনার নয়।',
  'code.conflict': 'এর মধ্যে এটি বদলে গেছে। আরেকবার দেখুন।',
  'code.insufficient_balance': 'যথেষ্ট ব্যালেন্স নেই',
  'code.duplicate': 'এটি আগেই ব্যবহার হয়েছে।',
  'code.already_handled': 'অন্য কেউ এটি আগেই সামলে নিয়েছেন।',
  'code.idempotency_mismatch': 'আপনার আগের চেষ্টা সফল হয়ে থাকতে পারে। আবার চেষ্টার আগে তালিকাটি দেখুন।',
  'code.too_large': 'এটি পাঠানোর জন্য বেশি বড়।',
  'code.rate_limited': 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
  'code.internal': 'আমাদের দিকে কিছু একটা গোলমাল হয়েছে।',
  'code.method_not_allowed': 'এখানে এটি করা যায় না।',
  'code.password_required': 'আপনার পাসওয়ার্ড আরেকবার দিন।',
  'code.request_timeout': 'বেশি সময় লেগে গেছে। আবার চেষ্টা করুন।',
  'code.locked': 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
  'code.unavailable': 'সেবাটি এই মুহূর্তে বন্ধ আছে।',
};
