import { texts } from '../texts';

export const pictures = texts('pictures', {
  before: 'Previous picture',
  next: 'Next picture',
  place: '{at} of {count}',
});
