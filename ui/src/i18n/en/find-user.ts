import { texts } from '../texts';

/** A field that finds a user. Fixed texts stand here word for word (docs/rules.md#texts). */
export const findUser = texts('findUser', {
  list: 'Users found',
  searching: 'Searching…',
  found: { one: '{count} user found', other: '{count} users found' },
  none: 'No users found.',
  failed: 'Failed to search users',
  clear: 'Choose someone else',
});
