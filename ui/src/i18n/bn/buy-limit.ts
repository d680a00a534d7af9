import type { buyLimit as english } from '../en/buy-limit';
import type { Translation } from '../texts';

export const buyLimit: Translation<typeof english> = {
  visitor: 'নতুন অ্যাকাউন্ট থেকে {sum} পর্যন্ত কেনা যায়।',
  member: 'আপনার অ্যাকাউন্ট থেকে এখন {sum} পর্যন্ত কেনা যায়।',
  wait: { one: '{sum} পর্যন্ত কিনতে এক দিন অপেক্ষা করুন।', other: '{sum} পর্যন্ত কিনতে {count} দিন অপেক্ষা করুন।' },
  waitAll: { one: 'এক দিন পর আর কোনো সীমা থাকবে না।', other: '{count} দিন পর আর কোনো সীমা থাকবে না।' },
};
