import { createFileRoute } from '@tanstack/react-router';
import { BugReportsPage } from '@/features/admin/bug-reports-page';
import { bugReportsQuery } from '@/features/admin/feedback-queries';
import { type ListSearch, listSearch } from '@/features/admin/list-search';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_admin/admin/bug-reports')({
  validateSearch: (search): ListSearch => listSearch(search),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ deps: { page } }) => {
    inBackground(queryClient.query({ ...bugReportsQuery(page ?? 1), staleTime: 'static' }));
  },
  component: BugReportsPage,
});
