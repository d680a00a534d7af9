import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { QueryPart } from '@/components/query-part';
import { Button } from '@/components/ui/button';
import { CardsSkeleton, PublicPosts } from '@/entities/post/post-card';
import { useTexts } from '@/i18n';
import { posts as postTexts } from '@/i18n/en/posts';
import { saved } from '@/i18n/en/saved';
import { rowsOf, totalOf } from '@/lib/rows';
import { SAVED_PAGE, savedPostsQuery } from '../queries';

/** /saved: the posts that the user has saved. */
export function SavedPage() {
  const t = useTexts(saved);
  const tPosts = useTexts(postTexts);
  const query = useInfiniteQuery(savedPostsQuery);
  return (
    <Page title={t('title')}>
      <h1 className="font-display text-display-lg">{t('title')}</h1>
      <p className="mt-2 mb-8 text-muted-foreground">{t('lede')}</p>
      <QueryPart query={query} failure={tPosts('listFailed')} skeleton={<CardsSkeleton />}>
        {({ pages }) => {
          const posts = rowsOf(pages);
          return (
            <>
              {posts.length === 0 ? (
                <EmptyState title={t('empty')} text={t('emptyText')} picture={<EmptyStrip />}>
                  <Button asChild variant="outline">
                    <Link to="/explore">{tPosts('post.toMarket')}</Link>
                  </Button>
                </EmptyState>
              ) : (
                <PublicPosts posts={posts} eager={4} />
              )}
              <ShowMore
                rest={totalOf(pages) - posts.length}
                step={SAVED_PAGE}
                busy={query.isFetchingNextPage}
                error={query.isFetchNextPageError ? query.error : null}
                more={() => void query.fetchNextPage()}
              />
            </>
          );
        }}
      </QueryPart>
    </Page>
  );
}
