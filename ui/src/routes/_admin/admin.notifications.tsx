import { createFileRoute } from '@tanstack/react-router';
import { noticeSearch } from '@/features/admin/admin-search';
import { NotificationsPage } from '@/features/admin/records/notifications-page';
import { sentNotificationsQuery } from '@/features/admin/records/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/notifications')({
  validateSearch: noticeSearch,
  loader: ({ context: { queryClient }, location }) =>
    prefetch(queryClient, sentNotificationsQuery(noticeSearch(location.search))),
  component: NotificationsPage,
});
