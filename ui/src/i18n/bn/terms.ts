import type { terms as english } from '../en/terms';
import type { Translation } from '../texts';

export const terms: Translation<typeof english> = {
  updated: 'আমাদের <terms>শর্তাবলি</terms> ও <privacy>গোপনীয়তা নীতি</privacy> হালনাগাদ করেছি। পড়ে সম্মতি দিন।',
  accept: 'সম্মতি দিচ্ছি',
  accepted: 'ধন্যবাদ।',
  failed: 'কিছু একটা গোলমাল হয়েছে',
};
