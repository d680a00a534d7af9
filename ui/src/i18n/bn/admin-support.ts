import type { adminSupport as english } from '../en/admin-support';
import type { Translation } from '../texts';

export const adminSupport: Translation<typeof english> = {
  'support.one': 'সহায়তার অনুরোধ',
  'support.asks': '{name} সাহায্য চান',
  'support.asBuyer': '{name}, ক্রেতা',
  'support.asSeller': '{name}, বিক্রেতা',
  'support.about': 'ডিলটি',
  'support.openDeal': 'ডিলটি দেখুন',
  'support.dealGone': 'টাকা জমার আগেই ডিলটি নাকচ হয়েছে। এর কিছু আর নেই।',
  close: 'অনুরোধ বন্ধ করুন',
  'close.answer': 'আপনার উত্তর',
  'close.answerHelp': 'দুই পক্ষই এটি ডিলের পেজে ও ইমেইলে পড়বেন।',
  'close.answerMissing': 'একটি উত্তর লিখুন। দুই পক্ষই তা পড়বেন।',
  'close.answered': 'উত্তর',
  'close.ask': '{name}-এর অনুরোধ বন্ধ করবেন?',
  'close.clock': 'ডিলের সময় আবার চলবে। যতক্ষণ থেমে ছিল (এখন পর্যন্ত {age}), প্রতিটি তারিখ ততটা পেছাবে; অন্তত ২৪ ঘণ্টা বাকি থাকবে।',
  'close.othersOpen': 'এই ডিলে আরেকটি অনুরোধ খোলা আছে, তাই সেটিও বন্ধ না হওয়া পর্যন্ত সময় থেমেই থাকবে।',
  'close.suspended': 'একটি অ্যাকাউন্ট বন্ধ, তাই ডিলটি থেমেই থাকবে।',
  'close.noClock': 'ডিলের সময় থেমে নেই, তাই কোনো তারিখ বদলাবে না।',
  'close.done': 'বন্ধ হয়েছে। দুই পক্ষকে জানানো হয়েছে।',
};
