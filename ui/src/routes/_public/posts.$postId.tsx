import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { postQuery } from '@/entities/post/post-query';
import { profileQuery } from '@/entities/user/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { limitsQuery } from '@/entities/wallet/limits';
import { useDealDialog } from '@/features/deals/create/use-deal-dialog';
import { PostPage, PostSkeleton } from '@/features/posts/detail/detail-page';
import { PostMissing } from '@/features/posts/post-missing';
import { nextSearch } from '@/lib/next-step';
import { load, prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/posts/$postId')({
  validateSearch: nextSearch,
  loader: async ({ context: { queryClient }, params }) => {
    prefetch(queryClient, rateQuery, limitsQuery);
    const post = await load(queryClient, postQuery(params.postId));
    prefetch(queryClient, profileQuery(post.createdBy.username));
  },
  component: Post,
  pendingComponent: PostSkeleton,
  notFoundComponent: PostMissing,
});

function Post() {
  const { postId } = Route.useParams();
  return <DealtPost key={postId} id={postId} />;
}

function DealtPost({ id }: { id: string }) {
  const { next } = Route.useSearch();
  const { data: post } = useSuspenseQuery(postQuery(id));
  const dialog = useDealDialog({ other: post.createdBy, post });
  return (
    <>
      <PostPage id={id} dialog={dialog} next={next} />
      {dialog.element}
    </>
  );
}
