import { texts } from '../texts';

export const password = texts('password', {
  show: 'Show password',
  hide: 'Hide password',
});
