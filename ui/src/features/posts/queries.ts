import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Post } from '@/api/contract';
import { keys } from '@/entities/keys';
import { savedListKey } from '@/entities/post/saved';
import { api, send, sendList } from '@/lib/api';
import { nextPage, type RowPages, rowsOf, withoutRow } from '@/lib/rows';
import type { Listing } from './explore/explore-search';

export const postUrl = (id: string): string => `${window.location.origin}/posts/${id}`;

const listingKey = (at: Listing) => [...keys.posts, 'public', at] as const;

export function listingQuery({ search, category, page = 1, seed }: Listing) {
  return queryOptions({
    queryKey: listingKey({ search, category, page, seed }),
    queryFn: async ({ client, signal }) => {
      const listing = await send(api.GET('/posts/public', { params: { query: { page, search, category, seed } }, signal }));
      // Also caches it under its address with the seed.
      if (seed === undefined) client.setQueryData(listingKey({ search, category, page, seed: listing.seed }), listing);
      return listing;
    },
    // The order is stable within a seed; only changed or deleted posts differ.
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/** Forgets the chosen seed, so that reopening the listing shows the newest posts. */
export function forgetUnseeded(queryClient: QueryClient, { search, category, page = 1 }: Listing): void {
  queryClient.removeQueries({ queryKey: listingKey({ search, category, page, seed: undefined }), exact: true });
}

const FILTERED_PAGE = 12;
/** The server reads a bounded number of posts for a page, so a rare fact may need several. */
const MOST_REQUESTS = 5;

/** Posts that meet the filters of the address, in a fixed order. */
export function filteredQuery(at: Listing) {
  const filters = { ...at, page: undefined, seed: undefined, next: undefined };
  return infiniteQueryOptions({
    queryKey: [...keys.posts, 'filtered', filters] as const,
    queryFn: async ({ pageParam, signal }) => {
      const load = (cursor: string | undefined) =>
        send(
          api.GET('/posts/public', {
            params: { query: { ...filters, min: filters.min?.toString(), max: filters.max?.toString(), cursor } },
            signal,
          }),
        );
      const { posts, total, similar, ...first } = await load(pageParam);
      let { next } = first;
      for (let asked = 1; next && posts.length < FILTERED_PAGE && asked < MOST_REQUESTS; asked++) {
        const more = await load(next);
        posts.push(...more.posts);
        next = more.next;
      }
      return { posts, total, similar, next };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/** Counts that the reader sees a post (docs/rules.md#post-views). It may fail unnoticed. */
export function countView(id: string): void {
  void send(api.POST('/posts/{id}/seen', { params: { path: { id } } })).catch(() => undefined);
}

export const MINE_PAGE = 24;

export const myPostsQuery = infiniteQueryOptions({
  queryKey: [...keys.posts, 'mine'] as const,
  queryFn: ({ pageParam: page, signal }) =>
    sendList(api.GET('/posts/my-posts', { params: { query: { page, limit: MINE_PAGE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  meta: { quiet: true },
});

export const SAVED_PAGE = 24;

export const savedPostsQuery = infiniteQueryOptions({
  queryKey: savedListKey,
  queryFn: ({ pageParam: page, signal }) =>
    sendList(api.GET('/posts/saved', { params: { query: { page, limit: SAVED_PAGE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  meta: { quiet: true },
});

export function addToMine(queryClient: QueryClient, saved: Post): void {
  queryClient.setQueryData<RowPages<Post>>(myPostsQuery.queryKey, (mine) => {
    if (!mine) return undefined;
    const known = rowsOf(mine.pages).some(({ _id }) => _id === saved._id);
    const pages = mine.pages.map(({ rows, total }, index) => {
      if (known) return { rows: rows.map((post) => (post._id === saved._id ? saved : post)), total };
      return { rows: index === 0 ? [saved, ...rows] : rows, total: total + 1 };
    });
    return { ...mine, pages };
  });
}

export function removeFromMine(queryClient: QueryClient, id: string): void {
  queryClient.setQueryData<RowPages<Post>>(myPostsQuery.queryKey, (mine) => withoutRow(mine, id));
}
