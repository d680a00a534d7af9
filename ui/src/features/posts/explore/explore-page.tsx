import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useHydrated, useNavigate } from '@tanstack/react-router';
import { type ReactNode, type Ref, type RefObject, useDeferredValue, useEffect, useRef } from 'react';
import type { Post } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { LoadFailed } from '@/components/load-failed';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import {
  Pagination,
  PaginationContent,
  PaginationEllipsis,
  PaginationItem,
  PaginationLink,
  PaginationNext,
  PaginationPrevious,
} from '@/components/ui/pagination';
import { CardsSkeleton, PublicPosts } from '@/entities/post/post-card';
import { useMaybeMe } from '@/entities/user/queries';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import { count } from '@/lib/money';
import { comingBack } from '@/lib/next-step';
import { forgetUnseeded, listingQuery } from '../queries';
import { ExploreHead } from './explore-head';
import { isFiltered, type Listing } from './explore-search';
import { FilteredPosts, SimilarNote } from './filtered-posts';
import { RecentPosts } from './recent-posts';

/** First page, current one with neighbours, last page. Null is an ellipsis of at least two. */
export function pageList(page: number, pages: number): (number | null)[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const shown = [...new Set(wanted)].sort((a, b) => a - b);
  return shown.flatMap((number, index) => {
    const missing = number - (shown[index - 1] ?? 0) - 1;
    if (missing === 0) return [number];
    return missing === 1 ? [number - 1, number] : [null, number];
  });
}

type StepProps = { part: typeof PaginationNext; to: Listing | null; onPage: () => void; children: ReactNode };

/** Prev or Next; disabled without such a page. */
function Step({ part: Part, to, onPage, children }: StepProps) {
  if (!to) {
    return (
      <Part className="bg-transparent" asChild>
        <span role="link" aria-disabled="true">
          {children}
        </span>
      </Part>
    );
  }
  return (
    <Part asChild>
      <Link to="/explore" search={to} resetScroll={false} onClick={onPage}>
        {children}
      </Link>
    </Part>
  );
}

type PagerProps = { at: Listing; page: number; pages: number; onPage: () => void };

/** Prev, first page, neighbours of the current one, last page, Next. All keep the seed. */
function ExplorePager({ at, page, pages, onPage }: PagerProps) {
  const t = useTexts(posts);
  if (pages <= 1) return null;
  const place = (number: number): Listing => ({ ...at, page: number === 1 ? undefined : number });
  return (
    <Pagination className="mt-10 flex-wrap justify-center" aria-label={t('pages')}>
      <Step part={PaginationPrevious} to={page > 1 ? place(page - 1) : null} onPage={onPage}>
        {t('prev')}
      </Step>
      {/* On a phone the numbers have a line above the steps. */}
      <PaginationContent className="max-2xs:order-first max-2xs:basis-full max-2xs:justify-center">
        {pageList(page, pages).map((number, index) => (
          <PaginationItem key={number ?? `gap-${index}`}>
            {number === null ? (
              <PaginationEllipsis />
            ) : (
              <PaginationLink asChild>
                <Link
                  to="/explore"
                  search={place(number)}
                  resetScroll={false}
                  onClick={onPage}
                  aria-label={t('page', { page: number })}
                  activeOptions={{ explicitUndefined: true }}
                >
                  {count(number)}
                </Link>
              </PaginationLink>
            )}
          </PaginationItem>
        ))}
      </PaginationContent>
      <Step part={PaginationNext} to={page < pages ? place(page + 1) : null} onPage={onPage}>
        {t('next')}
      </Step>
    </Pagination>
  );
}

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

function ExploreResults({ at, query, written, headingRef, onPage }: Props) {
  const t = useTexts(posts);
  const tCommon = useTexts(common);
  const { isPlaceholderData } = query;
  const data = written ? undefined : query.data;
  // Rendering a page of cards takes a cheap phone a quarter of a second; deferred, it blocks
  // neither typing nor scrolling.
  const cards = useDeferredValue(data?.posts);
  if (!written && query.isLoadingError) {
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

/**
 * Adds the seed of the first response to the address, so that the order survives paging, Back and
 * reloads. Opening the address without a seed requests a new order, which includes new posts.
 */
function useSeed(at: Listing, seed: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/explore' });
  const here = useStillHere();
  const missing = at.seed === undefined && seed !== undefined;
  const { search, category, page } = at;
  useEffect(() => {
    if (at.seed !== undefined) forgetUnseeded(queryClient, { search, category, page });
  }, [queryClient, at.seed, search, category, page]);
  useEffect(() => {
    if (missing && here()) void navigate({ search: (now) => ({ ...now, seed }), replace: true, resetScroll: false });
  }, [missing, seed, navigate, here]);
}

// The prerendered page has no search and no posts.
const WRITTEN: Listing = {};

type ListProps = { at: Listing; hydrated: boolean; headingRef: RefObject<HTMLHeadingElement | null> };

/** The posts in the random order of the seed, by pages. */
function RandomPosts({ at, hydrated, headingRef }: ListProps) {
  const query = useQuery({ ...listingQuery(at), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  useSeed(at, isPlaceholderData ? undefined : data?.seed);
  return (
    <>
      {data?.similar && at.search && data.posts.length > 0 ? <SimilarNote search={at.search} /> : null}
      <ExploreResults
        at={{ ...at, ...(data && !isPlaceholderData ? { seed: data.seed } : {}) }}
        query={query}
        written={!hydrated}
        headingRef={headingRef}
        onPage={() => {
          window.scrollTo(0, 0);
          headingRef.current?.focus({ preventScroll: true });
        }}
      />
    </>
  );
}

/** Whether the listing has all posts, in the random order. */
const isWhole = (at: Listing): boolean => !isFiltered(at) && !at.search && !at.category;

/** /explore: all posts. */
export function ExplorePage({ at, next }: { at: Listing; next: 'save' | undefined }) {
  const t = useTexts(posts);
  const navigate = useNavigate({ from: '/explore' });
  const list = useRef<HTMLHeadingElement>(null);
  const hydrated = useHydrated();
  return (
    <Page title={t('title')}>
      <ExploreHead
        at={hydrated ? at : WRITTEN}
        next={next}
        // Replaces while typing, to keep letters out of the history.
        go={(listing, how) => void navigate({ search: listing, replace: how === 'paused', resetScroll: false })}
      />
      {hydrated && isFiltered(at) ? (
        <FilteredPosts at={at} headingRef={list} />
      ) : (
        <RandomPosts at={at} hydrated={hydrated} headingRef={list} />
      )}
      {hydrated && isWhole(at) ? <RecentPosts /> : null}
    </Page>
  );
}
