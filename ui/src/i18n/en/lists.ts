import { texts } from '../texts';

export const lists = texts('lists', {
  showMore: { one: 'Show {count} more', other: 'Show {count} more' },
  showMoreFailed: 'The rest could not be loaded.',
  pageOf: 'Page {page} of {pages}',
});
