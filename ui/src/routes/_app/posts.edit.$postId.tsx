import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { postQuery } from '@/entities/post/post-query';
import { currentUser } from '@/entities/user/guards';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { PostFormPage } from '@/features/posts/form/form-page';
import { PostMissing } from '@/features/posts/post-missing';
import { load, prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/posts/edit/$postId')({
  loader: async ({ context: { queryClient }, params }) => {
    prefetch(queryClient, rateQuery);
    const me = await currentUser(queryClient);
    const post = await load(queryClient, { ...postQuery(params.postId), staleTime: 0 });
    // Only the owner may edit a post.
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
