import { createFileRoute } from '@tanstack/react-router';
import { auditSearch, listDeps } from '@/features/admin/admin-search';
import { AuditPage } from '@/features/admin/records/audit-page';
import { auditQuery } from '@/features/admin/records/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/audit')({
  validateSearch: auditSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, auditQuery(deps));
  },
  component: AuditPage,
});
