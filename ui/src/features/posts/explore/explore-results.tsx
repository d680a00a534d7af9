import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Ref, useDeferredValue } from 'react';
import type { Post } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { LoadFailed } from '@/components/load-failed';
import { Button } from '@/components/ui/button';
import { PublicPosts } from '@/entities/post/public-posts';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import { comingBack } from '@/lib/next-step';
import { CardsSkeleton } from '../cards-skeleton';
import { ExplorePager } from './explore-pager';
import type { Listing } from './explore-search';

type Found = { posts: Post[]; totalPages: number; currentPage: number };

/** 'No posts found.', with advice. */
function Nothing({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const me = useMaybeMe();
  if (at.page !== undefined) {
    return (
      <EmptyState title={t('none')} text={t('none.page')} picture={<EmptyStrip />}>
        <Button asChild variant="outline">
          <Link to="/explore" search={{ ...at, page: undefined }}>
            {t('firstPage')}
          </Link>
        </Button>
      </EmptyState>
    );
  }
  const why = at.search ? 'search' : at.category ? 'category' : 'text';
  return (
    <EmptyState title={t('none')} text={t(`none.${why}`)} picture={<EmptyStrip />}>
      <Button asChild variant="outline">
        {why === 'text' ? (
          <Link {...(me ? { to: '/posts/create' } : { to: '/signup', search: comingBack('/posts/create') })}>{t('create')}</Link>
        ) : (
          <Link to="/explore">{t('showAll')}</Link>
        )}
      </Button>
    </EmptyState>
  );
}

type Props = {
  at: Listing;
  query: UseQueryResult<Found>;
  /** Renders as prerendered, without posts loaded since. */
  written: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  onPage: () => void;
};

export function ExploreResults({ at, query, written, headingRef, onPage }: Props) {
  const t = useTexts(posts);
  const tCommon = useTexts(common);
  const { isPlaceholderData } = query;
  const data = written ? undefined : query.data;
  // Rendering a page of cards takes a cheap phone a quarter of a second; deferred, it blocks
  // neither typing nor scrolling.
  const cards = useDeferredValue(data?.posts);
  if (!written && query.isError && (!data || isPlaceholderData)) {
    const { error, isFetching } = query;
    return (
      <div className="mt-8">
        <LoadFailed error={error} fallback={t('listFailed')} busy={isFetching} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  const heading = data ? t('results', { page: data.currentPage, pages: Math.max(data.totalPages, 1) }) : tCommon('loading');
  return (
    <>
      <h2 className="sr-only" tabIndex={-1} ref={headingRef} aria-live="polite">
        {data?.posts.length === 0 ? t('none') : heading}
      </h2>
      {data?.posts.length === 0 ? (
        <div className="mt-8">
          <Nothing at={at} />
        </div>
      ) : !data || !cards ? (
        <CardsSkeleton className="mt-6" />
      ) : (
        // Pale while the previous results wait for new ones.
        <div
          className={isPlaceholderData ? 'opacity-55 transition-opacity delay-150' : undefined}
          aria-busy={isPlaceholderData || undefined}
        >
          <PublicPosts posts={cards} eager={4} className="mt-6" />
          <ExplorePager at={at} page={data.currentPage} pages={data.totalPages} onPage={onPage} />
        </div>
      )}
    </>
  );
}
