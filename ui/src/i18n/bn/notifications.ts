import type { notifications as english } from '../en/notifications';
import type { Translation } from '../texts';

export const notifications: Translation<typeof english> = {
  title: 'নোটিফিকেশন',
  unread: 'নোটিফিকেশন, কিছু এখনো পড়া হয়নি',
  arrived: 'আপনার না-পড়া নোটিফিকেশন আছে।',
  none: 'এখনো কোনো নোটিফিকেশন নেই।',
  noneText: 'আপনার ডিল ও টাকার খবর এখানে পাবেন।',
  loading: 'আরও নোটিফিকেশন আনা হচ্ছে...',
  failed: 'নোটিফিকেশন আনা গেল না।',
  readAll: 'সব পঠিত হিসেবে চিহ্নিত করুন',
  isUnread: 'পড়া হয়নি।',
  justNow: 'এইমাত্র',
};
