import { createFileRoute } from '@tanstack/react-router';
import { auditSearch } from '@/features/admin/admin-search';
import { AuditPage } from '@/features/admin/records/audit-page';
import { auditQuery } from '@/features/admin/records/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/audit')({
  validateSearch: auditSearch,
  loaderDeps: ({ search: { page, actorId, action, subject, days, from, to } }) => ({
    page,
    actorId,
    action,
    subject,
    days,
    from,
    to,
  }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, auditQuery(deps));
  },
  component: AuditPage,
});
