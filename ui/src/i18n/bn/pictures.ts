import type { pictures as english } from '../en/pictures';
import type { Translation } from '../texts';

export const pictures: Translation<typeof english> = {
  before: 'আগের ছবি',
  next: 'পরের ছবি',
  place: '{count}টির মধ্যে {at}',
};
