import { createFileRoute } from '@tanstack/react-router';
import { referralCodeQuery, referralStatsQuery } from '@/features/refer/queries';
import { ReferPage } from '@/features/refer/refer-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/refer')({
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, referralCodeQuery, referralStatsQuery);
  },
  component: ReferPage,
});
