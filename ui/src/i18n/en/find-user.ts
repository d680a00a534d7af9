import { texts } from '../texts';

/** Contains fixed texts (docs/rules.md#texts). */
export const findUser = texts('findUser', {
  list: 'Users found',
  searching: 'Searching…',
  found: { one: '{count} user found', other: '{count} users found' },
  none: 'No users found.',
  failed: 'Failed to search users',
  clear: 'Choose someone else',
});
