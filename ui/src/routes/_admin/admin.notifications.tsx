import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '@/features/admin/records/notifications-page';
import { sentNotificationsQuery } from '@/features/admin/records/queries';
import { pageNumber } from '@/lib/paging';
import { prefetch } from '@/lib/prefetch';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/notifications')({
  validateSearch: (search): { page?: number } => pageNumber(search.page),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps: { page } }) => {
    prefetch(queryClient.query({ ...sentNotificationsQuery(page ?? 1), staleTime: 'static' }));
  },
  component: NotificationsPage,
});
