import { texts } from '../texts';

export const user = texts('user', {
  staff: 'Amanat staff',
  closed: 'Closed account',
  reviewErased: 'The words of this review were deleted.',
});

export const browser = texts('browser', {
  on: '{browser} on {system}',
  unknown: 'Unknown browser',
});

/** Contains fixed texts (docs/rules.md#texts). */
export const findUser = texts('findUser', {
  list: 'Users found',
  searching: 'Searching…',
  found: { one: '{count} user found', other: '{count} users found' },
  none: 'No users found.',
  failed: 'Failed to search users',
  clear: 'Choose someone else',
});
