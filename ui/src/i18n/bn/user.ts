import type { user as english } from '../en/user';
import type { Translation } from '../texts';

export const user: Translation<typeof english> = {
  staff: 'আমানতের কর্মী',
  closed: 'বন্ধ অ্যাকাউন্ট',
  reviewErased: 'এই রিভিউয়ের লেখা মুছে ফেলা হয়েছে।',
};
