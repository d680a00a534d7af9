import type { pages as english } from '../en/pages';
import type { Translation } from '../texts';

export const pages: Translation<typeof english> = {
  contents: 'এই পাতায়',
  changed: 'সর্বশেষ বদল: {day}',
  enlarge: 'বড় করুন',
  alone: 'শুধু ছবিটি খুলুন',
};
