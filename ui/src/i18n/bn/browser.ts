import type { browser as english } from '../en/browser';
import type { Translation } from '../texts';

export const browser: Translation<typeof english> = {
  on: '{system}-এ {browser}',
  unknown: 'অচেনা ব্রাউজার',
};
