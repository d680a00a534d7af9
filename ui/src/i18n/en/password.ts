import { texts } from '../texts';

/** What a password field itself says, wherever it stands. */
export const password = texts('password', {
  show: 'Show password',
  hide: 'Hide password',
});
