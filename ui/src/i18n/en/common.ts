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

export const password = texts('password', {
  show: 'Show password',
  hide: 'Hide password',
});

export const errors = texts('errors', {
  somethingWrong: 'Something went wrong',
  reference: 'Code for support: {id}',
  'advice.offline': 'Check your connection and try again.',
  'advice.missing': 'Check your connection and try again, or reload the page.',
  'advice.server': 'The problem is on our side. Try again in a moment.',
  'advice.seconds': { one: 'Try again in {count} second.', other: 'Try again in {count} seconds.' },
  'advice.minutes': { one: 'Try again in {count} minute.', other: 'Try again in {count} minutes.' },
  'advice.hours': { one: 'Try again in {count} hour.', other: 'Try again in {count} hours.' },
});
