import type { checking as english } from '../en/checking';
import type { Translation } from '../texts';

export const checking: Translation<typeof english> = {
  sum: '{sum} যাচাই হচ্ছে',
  title: 'যাচাই হচ্ছে এমন জমা',
  failed: 'যাচাই হচ্ছে এমন জমা আনা গেল না।',
  row: '{method} দিয়ে {sum}',
  since: 'জানিয়েছেন {when}',
};
