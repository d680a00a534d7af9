import { createFileRoute, notFound } from '@tanstack/react-router';
import { PostPage } from '@/features/posts/detail-page';
import { PostSkeleton } from '@/features/posts/detail-skeleton';
import { PostMissing } from '@/features/posts/post-missing';
import { postQuery } from '@/features/posts/queries';
import { isApiError } from '@/lib/errors';
import { inBackground } from '@/lib/loading';
import { profileQuery, rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_public/posts/$postId')({
  loader: async ({ params }) => {
    inBackground(queryClient.query({ ...rateQuery, staleTime: 'static' }));
    const post = await queryClient.query({ ...postQuery(params.postId), staleTime: 'static' }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    });
    inBackground(queryClient.query({ ...profileQuery(post.createdBy.username), staleTime: 'static' }));
  },
  component: Post,
  pendingComponent: PostSkeleton,
  notFoundComponent: PostMissing,
});

function Post() {
  const { postId } = Route.useParams();
  return <PostPage key={postId} id={postId} />;
}
