import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '@/features/admin/records/notifications-page';
import { sentNotificationsQuery } from '@/features/admin/records/queries';
import { prefetch } from '@/lib/prefetch';
import { page, searchParams } from '@/lib/search-params';

const validateSearch = searchParams({ page });

export const Route = createFileRoute('/_admin/admin/notifications')({
  validateSearch,
  loader: ({ context: { queryClient }, location }) =>
    prefetch(queryClient, sentNotificationsQuery(validateSearch(location.search))),
  component: NotificationsPage,
});
