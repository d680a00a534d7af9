import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Page } from '@/components/page';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { forgetUnseeded, listingQuery } from '../queries';
import { ExploreHead } from './explore-head';
import { ExploreResults } from './explore-results';
import type { Listing } from './explore-search';

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

/** /explore: all posts. */
export function ExplorePage({ at }: { at: Listing }) {
  const t = useTexts(posts);
  const navigate = useNavigate({ from: '/explore' });
  const query = useQuery({ ...listingQuery(at), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const list = useRef<HTMLHeadingElement>(null);
  const hydrated = useHydrated();
  useSeed(at, isPlaceholderData ? undefined : data?.seed);
  return (
    <Page title={t('title')}>
      <ExploreHead
        at={hydrated ? at : WRITTEN}
        // Replaces while typing, to keep letters out of the history.
        go={(listing, how) => void navigate({ search: listing, replace: how === 'paused', resetScroll: false })}
      />
      <ExploreResults
        at={{ ...at, ...(data && !isPlaceholderData ? { seed: data.seed } : {}) }}
        query={query}
        written={!hydrated}
        headingRef={list}
        onPage={() => {
          window.scrollTo(0, 0);
          list.current?.focus({ preventScroll: true });
        }}
      />
    </Page>
  );
}
