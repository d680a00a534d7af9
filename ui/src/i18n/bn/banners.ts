import type * as english from '../en/banners';
import type { Translation } from '../texts';

export const live: Translation<typeof english.live> = {
  lost: 'সরাসরি আপডেট আপাতত বন্ধ। বাকি সব ঠিকমতো চলছে; কয়েক সেকেন্ড পরপর নতুন খবর আনা হচ্ছে।',
};

export const pauses: Translation<typeof english.pauses> = {
  money: 'অল্প সময়ের জন্য লেনদেন বন্ধ আছে। আপনার টাকা নিরাপদ, ডিলগুলো যেমন ছিল তেমনই আছে।',
  deposits: 'অল্প সময়ের জন্য জমা নেওয়া বন্ধ আছে। এখন টাকা পাঠাবেন না।',
  withdrawals: 'অল্প সময়ের জন্য উত্তোলন বন্ধ আছে। আপনার ব্যালেন্স নিরাপদ।',
};

export const terms: Translation<typeof english.terms> = {
  updated: 'আমাদের <terms>শর্তাবলি</terms> ও <privacy>গোপনীয়তা নীতি</privacy> হালনাগাদ করেছি। পড়ে সম্মতি দিন।',
  accept: 'সম্মতি দিচ্ছি',
  accepted: 'ধন্যবাদ।',
  failed: 'কিছু একটা গোলমাল হয়েছে',
};
