import type { balance as english } from '../en/balance';
import type { Translation } from '../texts';

export const balance: Translation<typeof english> = {
  failed: 'ওয়ালেটের ব্যালেন্স আনা গেল না।',
};
