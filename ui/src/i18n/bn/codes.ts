/**
 * Refusals by code, for reasons that this version does not know. `lib/refusal-text.ts` checks that
 * none is missing.
 */
export const codes = {
  already_handled: 'অন্য কেউ এটি আগেই সামলে নিয়েছেন।',
  conflict: 'এর মধ্যে এটি বদলে গেছে। আরেকবার দেখুন।',
  duplicate: 'এটি আগেই ব্যবহার হয়েছে।',
  forbidden: 'এটি করার অনুমতি আপনার নেই।',
  idempotency_mismatch: 'আপনার আগের চেষ্টা সফল হয়ে থাকতে পারে। আবার চেষ্টার আগে তালিকাটি দেখুন।',
  insufficient_balance: 'যথেষ্ট ব্যালেন্স নেই',
  internal: 'আমাদের দিকে কিছু একটা গোলমাল হয়েছে।',
  invalid: 'যা লিখেছেন, আরেকবার দেখে নিন।',
  invalid_credentials: 'ইউজারনেম বা পাসওয়ার্ড ঠিক নেই',
  locked: 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
  method_not_allowed: 'এখানে এটি করা যায় না।',
  not_found: 'এটি নেই, অথবা আপনার নয়।',
  mail_code_required: 'ইমেইলে পাওয়া কোডটি দিন।',
  password_required: 'আপনার পাসওয়ার্ড আরেকবার দিন।',
  rate_changed: 'ডলারের দর বদলেছে। পরিমাণ দেখে আবার চেষ্টা করুন।',
  rate_limited: 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
  request_timeout: 'বেশি সময় লেগে গেছে। আবার চেষ্টা করুন।',
  too_large: 'এটি পাঠানোর জন্য বেশি বড়।',
  unauthenticated: 'আবার লগ ইন করুন।',
  unavailable: 'সেবাটি এই মুহূর্তে বন্ধ আছে।',
  weak_password: 'আগে কমপক্ষে ১২ অক্ষরের পাসওয়ার্ড দিন।',
  login_expired: 'আবার লগ ইন করুন।',
  second_factor_required: 'কাজটি যে আপনার, তা নিশ্চিত করুন।',
  second_factor_missing: 'আগে দুই ধাপের লগ ইন চালু করুন।',
};
