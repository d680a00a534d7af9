import { texts } from '../texts';

/** The balance, on whatever page it is looked at. */
export const balance = texts('balance', {
  failed: 'An error occurred while fetching the wallet balance.',
});
