import { texts } from '../texts';

export const notifications = texts('notifications', {
  title: 'Notifications',
  unread: 'Notifications, some unread',
  arrived: 'You have unread notifications.',
  none: 'No notifications yet.',
  noneText: 'Updates about your deals and money appear here.',
  loading: 'Loading more notifications...',
  failed: 'The notifications could not be loaded.',
  readAll: 'Mark all as read',
  isUnread: 'Unread.',
  justNow: 'Just now',
});
