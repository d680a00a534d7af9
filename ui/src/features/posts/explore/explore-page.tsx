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
 * Puts the seed of the first answer into the address, so that the order stays the same on every page, after Back and after a reload. The
 * address without a seed asks for an order of its own each time it is opened: that shows what is new.
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

// The page is prerendered as it is without a search and before its posts.
const WRITTEN: Listing = {};

/** /explore: everybody's posts. */
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
        // Letter by letter would make a history of every search.
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
