import { createFileRoute } from '@tanstack/react-router';
import { NotificationsPage } from '@/features/admin/records/notifications-page';
import { notificationsQuery } from '@/features/admin/records/queries';
import { inBackground } from '@/lib/loading';
import { pageNumber } from '@/lib/paging';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/notifications')({
  validateSearch: (search): { page?: number } => pageNumber(search.page),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps: { page } }) => {
    inBackground(queryClient.query({ ...notificationsQuery(page ?? 1), staleTime: 'static' }));
  },
  component: NotificationsPage,
});
