import type { landing as english } from '../en/landing';
import type { Translation } from '../texts';

export const landing: Translation<typeof english> = {
  page: 'আমানত: নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন',
  'hero.1': 'নিশ্চিন্তে ইউটিউব চ্যানেল বেচুন।',
  'hero.2': 'টাকা আগেই আমানতে।',
  'hero.lede':
    'ক্রেতা আগে আমানতে টাকা জমা দেন। আপনি ডেলিভারি দেন। ক্রেতা দেখে নেন, তারপর আমরা আপনাকে টাকা দিই। দুজনেরই ঝুঁকি ০%, আর ফি একটাই: ২%, ডিল সম্পন্ন হলে।',
  'hero.link': 'ফেসবুকে কিছু পছন্দ হয়েছে? বিক্রেতাকে লিংক পাঠান।',
  'hero.who': 'যে ঘর ভরা, টাকা এখন তার কাছে।',
  'hero.example': 'উদাহরণ: ৪১,২০০ সাবস্ক্রাইবারের রান্নার চ্যানেল',
  nusrat: 'নুসরাত',
  tanvir: 'তানভীর',
  'hero.paid': 'দিয়েছেন ৮ নভে, সকাল ১০:১৪',
  'hero.held': '১১ দিন ধরে',
  'hero.whenYes': 'নুসরাত রিলিজ করলে',
  'proof.usd': 'লেনদেন হয়েছে (USD)',
  'proof.users': 'গ্রাহক আস্থা রেখেছেন',
  'proof.fee': 'সার্ভিস ফি',
  'proof.feeValue': '২%',
  'proof.silent': 'বিক্রেতা ডেলিভারি না দিলে',
  'proof.back': '১০০% ফেরত',
};
