import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { PostGrid } from '@/entities/post/post-card';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { rowsOf, totalOf } from '@/lib/rows';
import { MINE_PAGE, myPostsQuery } from '../queries';
import { MineCard } from './mine-card';
import { MineHead } from './mine-head';

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
    </Page>
  );
}
