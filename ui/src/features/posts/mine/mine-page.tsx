import { useMutation, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ExternalLink, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Post } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { PendingButton } from '@/components/pending-button';
import { SkeletonPage } from '@/components/skeleton-page';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { keys } from '@/entities/keys';
import { HiddenLink } from '@/entities/moderation/hidden';
import { Interest } from '@/entities/post/interest';
import { CardsSkeleton, POST_LINK, PostCard, PostGrid, PostPlace } from '@/entities/post/post-card';
import { useLatePart } from '@/hooks/use-late-part';
import { translate, useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/posts';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { overlaysClosed } from '@/lib/overlays';
import { rowsOf, totalOf } from '@/lib/rows';
import { MINE_PAGE, myPostsQuery, postUrl, removeFromMine } from '../queries';

function useDelete(post: Post, onFailed: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.DELETE('/posts/{id}', { params: { path: { id: post._id } } })),
    meta: { success: () => translate(postForm, 'delete.done'), fallback: () => translate(postForm, 'delete.failed') },
    onSuccess: () => removeFromMine(queryClient, post._id),
    onError: (error) => {
      onFailed();
      // Deleted meanwhile, in another tab.
      if (isApiError(error, 'not_found')) void queryClient.invalidateQueries({ queryKey: myPostsQuery.queryKey });
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: keys.posts, refetchType: 'none' }),
  });
}

function DeleteButton({ post }: { post: Post }) {
  const t = useTexts(postForm);
  const [open, setOpen] = useState(false);
  const remove = useDelete(post, () => setOpen(false));
  const trigger = useRef<HTMLButtonElement>(null);
  const focusPage = (event: Event) => {
    // The card with its button is gone.
    if (trigger.current?.isConnected) return;
    event.preventDefault();
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger
        ref={trigger}
        className={buttonVariants({ variant: 'ghost', size: 'icon' })}
        aria-label={t('mine.delete', { title: post.title })}
      >
        <Trash2 aria-hidden="true" />
      </AlertDialogTrigger>
      <AlertDialogContent className="wrap-anywhere" onCloseAutoFocus={focusPage}>
        <AlertDialogHeader>
          <AlertDialogTitle>{t('delete.title')}</AlertDialogTitle>
          <AlertDialogDescription>{t('delete.text', { title: post.title })}</AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter>
          <PendingButton variant="destructive" pending={remove.isPending || remove.isSuccess} onClick={() => remove.mutate()}>
            {t('delete.yes')}
          </PendingButton>
          <AlertDialogCancel>{t('delete.no')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}

/** A card of one's own post, which leads to its form; below it, links and deletion. */
function MineCard({ post, eager }: { post: Post; eager: boolean }) {
  const t = useTexts(postForm);
  return (
    <PostPlace>
      <Link to="/posts/edit/$postId" params={{ postId: post._id }} className={POST_LINK}>
        <PostCard post={post} eager={eager} seller={false} />
      </Link>
      {post.hidden && post.decisionId ? <HiddenLink decision={post.decisionId} title={post.title} /> : null}
      <div className="mt-1 flex flex-wrap items-center justify-end wide:-ml-3.25 wide:justify-start">
        <div className="mr-auto wide:order-last wide:basis-full wide:pl-3.25">
          <Interest post={post} />
        </div>
        <CopyButton value={postUrl(post._id)} label={t('mine.copy', { title: post.title })} variant="ghost" size="icon" />
        <Link
          className={buttonVariants({ variant: 'ghost', size: 'icon' })}
          to="/posts/$postId"
          params={{ postId: post._id }}
          aria-label={t('mine.view', { title: post.title })}
        >
          <ExternalLink aria-hidden="true" />
        </Link>
        <DeleteButton post={post} />
      </div>
    </PostPlace>
  );
}

function MineHead({ as: Title = 'h1', children }: { as?: 'h1' | 'p'; children: ReactNode }) {
  const t = useTexts(postForm);
  return (
    <div className="mb-8 flex flex-wrap items-end justify-between gap-4">
      <div>
        <Title className="font-display text-display-lg">{t('mine')}</Title>
        <p className="mt-2 text-muted-foreground">{t('mine.lede')}</p>
      </div>
      {children}
    </div>
  );
}

export function MineSkeleton() {
  const t = useTexts(postForm);
  return (
    <Page title={t('mine')}>
      <SkeletonPage>
        <MineHead as="p">
          <Skeleton className="h-11 w-37.5" />
        </MineHead>
        <CardsSkeleton />
      </SkeletonPage>
    </Page>
  );
}

function CreateLink() {
  const t = useTexts(postForm);
  return (
    <Button asChild>
      <Link to="/posts/create">
        <Plus aria-hidden="true" />
        {t('mine.create')}
      </Link>
    </Button>
  );
}

const loadShare = () => import('@/components/share-ways');

/** The share sheet of a post that was just published. */
function ShareNew() {
  const navigate = useNavigate();
  const published = useLocation({ select: ({ state }) => state.published });
  const [post, setPost] = useState(published);
  const close = () => {
    setPost(undefined);
    void overlaysClosed().then(() => navigate({ to: '.', replace: true, resetScroll: false, state: {} }));
  };
  const late = useLatePart(loadShare, post !== undefined, close);
  return post && late ? <late.Part url={postUrl(post._id)} title={post.title} text={post.title} onClose={close} /> : null;
}

export function MinePage() {
  const t = useTexts(postForm);
  const { data, error, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = useSuspenseInfiniteQuery(myPostsQuery);
  const posts = rowsOf(data.pages);
  const total = totalOf(data.pages);
  return (
    <Page title={t('mine')}>
      <MineHead>{posts.length === 0 ? null : <CreateLink />}</MineHead>
      {posts.length === 0 ? (
        <EmptyState title={t('mine.empty')} text={t('mine.emptyText')} picture={<EmptyStrip />}>
          <CreateLink />
        </EmptyState>
      ) : (
        <>
          <PostGrid aria-label={t('mine.count', { count: total })}>
            {posts.map((post, index) => (
              <MineCard key={post._id} post={post} eager={index < 4} />
            ))}
          </PostGrid>
          <ShowMore
            rest={total - posts.length}
            step={MINE_PAGE}
            busy={isFetchingNextPage}
            error={isFetchNextPageError ? error : null}
            more={() => void fetchNextPage()}
          />
        </>
      )}
      <ShareNew />
    </Page>
  );
}
