import { createFileRoute } from '@tanstack/react-router';
import { BugReportsPage } from '@/features/admin/feedback/bug-reports-page';
import { bugReportsQuery } from '@/features/admin/feedback/queries';
import { listSearch } from '@/features/admin/queue/list-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/bug-reports')({
  validateSearch: listSearch,
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, bugReportsQuery(deps));
  },
  component: BugReportsPage,
});
