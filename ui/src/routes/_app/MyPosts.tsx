import { createFileRoute } from '@tanstack/react-router';
import { MinePage } from '@/features/posts/mine-page';
import { MineSkeleton } from '@/features/posts/mine-skeleton';
import { myPostsQuery } from '@/features/posts/queries';
import { inBackground } from '@/lib/loading';
import { rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/MyPosts')({
  loader: () => {
    inBackground(queryClient.query({ ...rateQuery, staleTime: 'static' }));
    return queryClient.infiniteQuery({ ...myPostsQuery, staleTime: 'static' });
  },
  component: MinePage,
  pendingComponent: MineSkeleton,
});
