import type { lists as english } from '../en/lists';
import type { Translation } from '../texts';

export const lists: Translation<typeof english> = {
  showMore: { one: 'আরও {count}টি দেখুন', other: 'আরও {count}টি দেখুন' },
  showMoreFailed: 'বাকিটা আনা গেল না।',
  pageOf: 'পেজ {page}, মোট {pages}',
};
