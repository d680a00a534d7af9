import { texts } from '../texts';

/** Words that every part of the product uses. */
export const common = texts('common', {
  amanat: 'Amanat',
  home: 'Amanat, home',
  title: '{page} | Amanat',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  retry: 'Retry',
  loading: 'Loading',
  previous: 'Previous',
  next: 'Next',
  showMore: { one: 'Show {count} more', other: 'Show {count} more' },
  showMoreFailed: 'The rest could not be loaded.',
  pageOf: 'Page {page} of {pages}',
  notices: 'Messages',
  copyFailed: 'Could not copy. Select the text and copy it by hand.',
  copied: 'Copied',
  usd: 'USD',
  bdt: 'BDT',
  rate: '1 USD = {taka}',
  noRate: 'Failed to fetch conversion rate',
  processing: 'Payment processing',
  sending: 'Sending…',
  you: 'You',
  error: 'Error: {message}',
});
