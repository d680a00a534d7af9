import { texts } from '../texts';

export const common = texts('common', {
  amanat: 'Amanat',
  home: 'Amanat, home',
  title: '{page} | Amanat',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  retry: 'Retry',
  reload: 'Reload the page',
  loading: 'Loading',
  previous: 'Previous',
  next: 'Next',
  notices: 'Messages',
  copyFailed: 'Could not copy. Select the text and copy it by hand.',
  copied: 'Copied',
  rate: '1 USD = {taka}',
  processing: 'Payment processing',
  sending: 'Sending…',
  you: 'You',
  error: 'Error: {message}',
});
