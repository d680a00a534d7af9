import type * as en from '../en/balance';
import type { Translation } from '../texts';

export const balance: Translation<typeof en.balance> = {
  failed: 'ওয়ালেটের ব্যালেন্স আনা গেল না।',
};

export const checking: Translation<typeof en.checking> = {
  sum: '{sum} যাচাই হচ্ছে',
  failed: 'যা যাচাই হচ্ছে তা আনা গেল না।',
  row: '{method} দিয়ে {sum}',
  since: 'জানিয়েছেন {when}',
  is: '{sum} যাচাই হচ্ছে',
  told: 'হয়ে গেলে নোটিফিকেশন ও ইমেইলে জানাব।',
  toldUnverified: 'হয়ে গেলে নোটিফিকেশনে জানাব। ইমেইলেও জানতে ইমেইল ঠিকানা যাচাই করুন।',
  verify: 'লিংক আবার পাঠান',
  sms: '{method}ের এসএমএসের অপেক্ষায়…',
  'usual.minutes': { one: 'সাধারণত {count} মিনিটের মধ্যে', other: 'সাধারণত {count} মিনিটের মধ্যে' },
  'usual.hours': { one: 'সাধারণত {count} ঘণ্টার মধ্যে', other: 'সাধারণত {count} ঘণ্টার মধ্যে' },
  hours: 'প্রতিদিন {from} থেকে {to} পর্যন্ত আমরা টাকা মিলিয়ে দেখি।',
  anyHour: 'আমরা দিনরাত সব সময় টাকা মিলিয়ে দেখি।',
  closed: 'এখন যাচাই বন্ধ, আবার শুরু হবে {when}।',
};

export const limits: Translation<typeof en.limits> = {
  title: 'আপনার সীমা',
  text: 'নতুন অ্যাকাউন্টে শুরুতে সীমা কম থাকে। এতে আপনি আর যাঁদের সঙ্গে ডিল করেন, সবাই নিরাপদ থাকেন। আমানত ব্যবহার করতে করতে সীমা বাড়ে।',
  perDeal: 'যে ডিলে আপনি ক্রেতা, তার দাম',
  paid: '২৪ ঘণ্টায় পেমেন্ট',
  withdrawn: '২৪ ঘণ্টায় উত্তোলন',
  none: 'সীমা নেই',
  upTo: 'সর্বোচ্চ {sum}',
  left: 'আরও {sum} করা যাবে',
  used: '{limit}-এর মধ্যে {used} হয়েছে',
  raiseTo: 'প্রতি ডিলে {sum} পর্যন্ত করতে:',
  raiseAll: 'প্রতি ডিলের সীমা তুলে দিতে:',
  'need.account_age': { one: 'আর {count} দিন অপেক্ষা করুন।', other: 'আর {count} দিন অপেক্ষা করুন।' },
  'need.completed_deals': { one: 'আরও {count}টি ডিল শেষ করুন।', other: 'আরও {count}টি ডিল শেষ করুন।' },
  'need.partners': { one: 'আরও {count} জনের সঙ্গে ডিল শেষ করুন।', other: 'আরও {count} জনের সঙ্গে ডিল শেষ করুন।' },
  'need.second_factor': 'দুই ধাপের লগ ইন চালু করুন।',
  'do.completed_deals': 'ডিল দেখুন',
  'do.partners': 'মার্কেটপ্লেস দেখুন',
  'do.second_factor': 'নিরাপত্তা সেটিংস',
  more: 'আপনার সীমা আর বাড়ানোর উপায় দেখুন',
};
