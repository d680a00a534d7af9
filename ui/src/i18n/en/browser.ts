import { texts } from '../texts';

/** The name of somebody's browser. */
export const browser = texts('browser', {
  on: '{browser} on {system}',
  unknown: 'Unknown browser',
});
