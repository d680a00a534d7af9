import { texts } from '../texts';

/** The navbar and the banners of those who are logged in. */
export const member = texts('member', {
  explore: 'Explore Marketplace',
  deals: 'Deals',
  balance: 'Balance',
  admin: 'Admin',
  security: 'Security',
  profileMenu: 'Profile menu',
  profile: 'Profile',
  posts: 'Posts',
  refer: 'Refer a friend',
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
