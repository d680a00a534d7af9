import type { period as english } from '../en/period';
import type { Translation } from '../texts';

export const period: Translation<typeof english> = {
  title: 'দিন',
  lifetime: 'শুরু থেকে',
  days: { one: '{count} দিন', other: '{count} দিন' },
  custom: 'তারিখ বেছে নিন',
  first: 'প্রথম দিন',
  last: 'শেষ দিন',
  show: 'দেখান',
  order: 'শেষ দিন প্রথম দিনের আগে হতে পারে না।',
  empty: 'প্রথম বা শেষ দিন বেছে নিন।',
};
