import { texts } from '../texts';

/** Lists that are longer than the page. */
export const lists = texts('lists', {
  showMore: { one: 'Show {count} more', other: 'Show {count} more' },
  showMoreFailed: 'The rest could not be loaded.',
  pageOf: 'Page {page} of {pages}',
});
