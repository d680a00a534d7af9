import { texts } from '../texts';

export const balance = texts('balance', {
  failed: 'An error occurred while fetching the wallet balance.',
});
