import type { adminDeposits as english } from '../en/admin-deposits';
import type { Translation } from '../texts';

export const adminDeposits: Translation<typeof english> = {
  search: 'TrxID, ইউজার বা পরিমাণ',
  searchKey: 'খুঁজতে / চাপুন',
  method: 'মাধ্যম',
  anyMethod: 'সব মাধ্যম',
  sort: 'সাজানো',
  'sort.oldest': 'পুরোনো আগে',
  'sort.newest': 'নতুন আগে',
  'sort.largest': 'বড় পরিমাণ আগে',
  found: { one: '{count}টি জমা পাওয়া গেছে', other: '{count}টি জমা পাওয়া গেছে' },
  none: 'এমন কোনো জমা নেই।',
  noneText: 'ট্রানজেকশন আইডি বা ইউজারনেমের শুরুটা লিখুন, অথবা ডলার বা টাকায় ঠিক পরিমাণ।',
  clear: 'ফিল্টার মুছুন',

  taka: 'যত টাকা এসেছে',
  worth: 'সমান {sum}',
  againTaka: 'টাকার পরিমাণ আবার লিখুন',

  why: 'কারণ',
  'why.not_found': 'এমন পেমেন্ট নেই',
  'why.other_amount': 'পরিমাণ আলাদা',
  'why.used_before': 'আগে ব্যবহার হয়েছে',
  'why.other_number': 'অন্য নম্বরে গেছে',
  'why.other': 'অন্য কারণ',
  'says.not_found': '{name}-কে আইডি মিলিয়ে আবার জানাতে বলা হবে।',
  'says.other_amount': '{name}-কে এসএমএসের পরিমাণ দিয়ে আবার জানাতে বলা হবে।',
  'says.used_before': '{name}-কে বলা হবে একটি পেমেন্ট একবারই যোগ হয়।',
  'says.other_number': '{name}-কে টাকা ফেরত নিতে বলা হবে।',
  'says.other': '{name}-কে সহায়তায় যোগাযোগ করতে বলা হবে।',
  words: 'নিজের ভাষায় লিখুন, {name} পড়বেন',
  before: 'আগেরটি: {outcome}',
};
