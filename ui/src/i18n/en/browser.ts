import { texts } from '../texts';

export const browser = texts('browser', {
  on: '{browser} on {system}',
  unknown: 'Unknown browser',
});
