import { texts } from '../texts';

export const checking = texts('checking', {
  sum: '{sum} being checked',
  title: 'Deposits being checked',
  failed: 'Deposits being checked could not be loaded.',
  row: '{sum} by {method}',
  since: 'Reported {when}',
});
