import type { pages as english } from '../en/pages';
import type { Translation } from '../texts';

export const pages: Translation<typeof english> = {
  contents: 'এই পেজে',
  changed: 'সর্বশেষ হালনাগাদ: {day}',
  version: 'সংস্করণ {version}',
  enlarge: 'বড় করুন',
  alone: 'নতুন ট্যাবে খুলুন',
};
