import { createFileRoute } from '@tanstack/react-router';
import { myReportsQuery } from '@/features/moderation/queries';
import { ReportsPage } from '@/features/moderation/reports-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/reports')({
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, myReportsQuery);
  },
  component: ReportsPage,
});
