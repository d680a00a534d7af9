import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { QueryPart } from '@/components/query-part';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Button } from '@/components/ui/button';
import { CardsSkeleton, PublicPosts } from '@/entities/post/post-card';
import { useTexts } from '@/i18n';
import { posts as postTexts } from '@/i18n/en/posts';
import { saved } from '@/i18n/en/saved';
import { savedSearches } from '@/i18n/en/saved-searches';
import { rowsOf, totalOf } from '@/lib/rows';
import { SAVED_PAGE, savedPostsQuery } from '../queries';
import { SavedSearches } from './saved-searches';

function SavedPosts() {
  const t = useTexts(saved);
  const tPosts = useTexts(postTexts);
  const query = useInfiniteQuery(savedPostsQuery);
  return (
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
  );
}

const TABS = ['posts', 'searches'] as const;
type Tab = (typeof TABS)[number];

/** /saved: the posts and searches that the user has saved. */
export function SavedPage({ tab }: { tab: Tab }) {
  const t = useTexts(saved);
  const tSearches = useTexts(savedSearches);
  const searches = tab === 'searches';
  const title = searches ? tSearches('title') : t('title');
  return (
    <Page title={title}>
      <h1 className="font-display text-display-lg">{title}</h1>
      <p className="mt-2 mb-4 text-muted-foreground">{searches ? tSearches('lede') : t('lede')}</p>
      <TabsNav className="mb-6" aria-label={tSearches('tabs')}>
        {TABS.map((name) => (
          <Link
            key={name}
            to="/saved"
            search={{ tab: name === 'posts' ? undefined : name }}
            activeOptions={{ explicitUndefined: true }}
            className={TAB_LINK}
          >
            {tSearches(`tab.${name}`)}
          </Link>
        ))}
      </TabsNav>
      {searches ? <SavedSearches /> : <SavedPosts />}
    </Page>
  );
}
