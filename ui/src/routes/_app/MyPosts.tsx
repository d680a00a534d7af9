import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { MinePage, MineSkeleton } from '@/features/posts/mine/mine-page';
import { myPostsQuery } from '@/features/posts/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/MyPosts')({
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, rateQuery);
    return queryClient.infiniteQuery({ ...myPostsQuery, staleTime: 'static' });
  },
  component: MinePage,
  pendingComponent: MineSkeleton,
});
