import { createFileRoute, notFound } from '@tanstack/react-router';
import { profileQuery } from '@/entities/user/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { PostPage } from '@/features/posts/detail/detail-page';
import { PostSkeleton } from '@/features/posts/detail/detail-skeleton';
import { PostMissing } from '@/features/posts/post-missing';
import { postQuery } from '@/features/posts/queries';
import { isApiError } from '@/lib/errors';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/posts/$postId')({
  loader: async ({ context: { queryClient }, params }) => {
    prefetch(queryClient.query({ ...rateQuery, staleTime: 'static' }));
    const post = await queryClient.query({ ...postQuery(params.postId), staleTime: 'static' }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    });
    prefetch(queryClient.query({ ...profileQuery(post.createdBy.username), staleTime: 'static' }));
  },
  component: Post,
  pendingComponent: PostSkeleton,
  notFoundComponent: PostMissing,
});

function Post() {
  const { postId } = Route.useParams();
  return <PostPage key={postId} id={postId} />;
}
