import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '@/features/admin/admin-search';
import { BugReportsPage } from '@/features/admin/feedback/feedback-pages';
import { bugReportsQuery } from '@/features/admin/feedback/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/bug-reports')({
  validateSearch: listSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, bugReportsQuery(listSearch(location.search))),
  component: BugReportsPage,
});
