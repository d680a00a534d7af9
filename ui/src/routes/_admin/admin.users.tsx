import { createFileRoute } from '@tanstack/react-router';
import { userSearch } from '@/features/admin/admin-search';
import { usersQuery } from '@/features/admin/users/queries';
import { UsersPage } from '@/features/admin/users/users-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/users')({
  validateSearch: userSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, usersQuery(userSearch(location.search))),
  component: UsersPage,
});
