import { texts } from '../texts';

export const period = texts('period', {
  title: 'Days',
  lifetime: 'Lifetime',
  days: { one: '{count} day', other: '{count} days' },
  custom: 'Custom',
  first: 'First day',
  last: 'Last day',
  show: 'Show',
  order: 'The last day must not be before the first.',
  empty: 'Choose a first or a last day.',
});
