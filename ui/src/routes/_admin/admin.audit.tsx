import { createFileRoute } from '@tanstack/react-router';
import { auditSearch } from '@/features/admin/admin-search';
import { AuditPage } from '@/features/admin/records/audit-page';
import { auditQuery } from '@/features/admin/records/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/audit')({
  validateSearch: auditSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, auditQuery(auditSearch(location.search))),
  component: AuditPage,
});
