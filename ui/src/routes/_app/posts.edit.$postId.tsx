import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { PostFormPage } from '@/features/posts/form-page';
import { PostMissing } from '@/features/posts/post-missing';
import { postQuery } from '@/features/posts/queries';
import { isApiError } from '@/lib/errors';
import { currentUser } from '@/lib/guards';
import { inBackground } from '@/lib/loading';
import { rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/posts/edit/$postId')({
  loader: async ({ params }) => {
    inBackground(queryClient.query({ ...rateQuery, staleTime: 'static' }));
    const me = await currentUser();
    const post = await queryClient.query({ ...postQuery(params.postId), staleTime: 0 }).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    });
    // Others' posts are there to be read, not to be edited.
    if (post.createdBy._id !== me?._id) throw notFound();
  },
  component: Edit,
  notFoundComponent: PostMissing,
});

function Edit() {
  const { postId } = Route.useParams();
  const { data: post } = useSuspenseQuery(postQuery(postId));
  return <PostFormPage key={postId} post={post} />;
}
