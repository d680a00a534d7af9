import { createFileRoute } from '@tanstack/react-router';
import { correctionSearch } from '@/features/admin/admin-search';
import { AdminCorrectionsPage } from '@/features/admin/corrections/corrections-page';
import { correctionsQuery } from '@/features/admin/corrections/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/corrections')({
  validateSearch: correctionSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, correctionsQuery(correctionSearch(location.search))),
  component: AdminCorrectionsPage,
});
