import { createFileRoute } from '@tanstack/react-router';
import { depositQuery } from '@/entities/wallet/deposits';
import { receiversQuery } from '@/entities/wallet/queries';
import { FollowPage } from '@/features/wallet/follow/follow-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/balance/deposits/$depositId/')({
  // Refetched on each visit: an admin may have decided since.
  loader: ({ context: { queryClient }, params }) =>
    prefetch(queryClient, { ...depositQuery(params.depositId), staleTime: 0 }, receiversQuery),
  component: Follow,
});

function Follow() {
  const { depositId } = Route.useParams();
  return <FollowPage key={depositId} id={depositId} />;
}
