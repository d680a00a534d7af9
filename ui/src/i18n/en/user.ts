import { texts } from '../texts';

export const user = texts('user', {
  staff: 'Amanat staff',
  closed: 'Closed account',
  reviewErased: 'The words of this review were deleted.',
});
