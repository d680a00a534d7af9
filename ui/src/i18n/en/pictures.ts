import { texts } from '../texts';

/** Pictures as large as the window. */
export const pictures = texts('pictures', {
  before: 'Previous picture',
  next: 'Next picture',
  place: '{at} of {count}',
});
