import type { dealWords as english } from '../en/deal-words';
import type { Translation } from '../texts';

export const dealWords: Translation<typeof english> = {
  'said.delivered': 'ডেলিভারি দেওয়া হয়েছে: {title}',
  'said.counteroffer': 'পাল্টা প্রস্তাব: {title}',
  'said.changes': 'সংশোধন চাওয়া হয়েছে: {title}',
  picture: '{name}-এর পাঠানো ছবি, {count}টির মধ্যে {at}',
  pictureYours: 'আপনার ছবি, {count}টির মধ্যে {at}',
};
