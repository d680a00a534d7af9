import { createFileRoute } from '@tanstack/react-router';
import { correctionSearch, listDeps } from '@/features/admin/admin-search';
import { AdminCorrectionsPage } from '@/features/admin/corrections/corrections-page';
import { correctionsQuery } from '@/features/admin/corrections/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/corrections')({
  validateSearch: correctionSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, correctionsQuery(deps));
  },
  component: AdminCorrectionsPage,
});
