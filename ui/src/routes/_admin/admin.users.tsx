import { createFileRoute } from '@tanstack/react-router';
import { listDeps, userSearch } from '@/features/admin/admin-search';
import { usersQuery } from '@/features/admin/users/queries';
import { UsersPage } from '@/features/admin/users/users-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/users')({
  validateSearch: userSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, usersQuery(deps));
  },
  component: UsersPage,
});
