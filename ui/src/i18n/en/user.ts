import { texts } from '../texts';

/** What stands beside a name wherever it is shown. */
export const user = texts('user', {
  staff: 'Amanat staff',
  closed: 'Closed account',
  reviewErased: 'The words of this review were deleted.',
});
