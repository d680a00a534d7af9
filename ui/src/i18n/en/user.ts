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

export const member = texts('member', {
  explore: 'Explore Marketplace',
  deals: 'Deals',
  home: 'Home',
  balance: 'Balance',
  admin: 'Admin',
  profileMenu: 'Profile menu',
  settings: 'Settings',
  profile: 'Profile',
  security: 'Security',
  notifications: 'Notifications',
  posts: 'Posts',
  refer: 'Refer a friend',
  help: 'Help',
  logout: 'Logout',
  loggedOut: 'Logout successfully!',
  logoutFailed: 'Something went wrong',
  balanceIs: 'Balance {sum}',
  'verify.sent': 'Verification link sent to your email.',
  market: 'Market',
  chat: 'Chat',
  chatUnread: 'Chat, unread messages',
  me: 'Me',
  meMenu: 'Me: profile menu',
  places: 'Places',
  'ended.title': 'Your session has ended.',
  'ended.text': 'Log in to continue where you left off. What you typed is saved.',
  'ended.leave': 'Leave this page',
});
