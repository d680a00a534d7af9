import { queryOptions } from '@tanstack/react-query';
import type { Category } from '@/api/contract';
import { api, send } from '@/lib/api';
import { keys } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

/** What is looked for, and where in the visitor's own order. Its names are those of the address. */
export type Listing = { search?: string; category?: Category; page?: number; seed?: string };

const listingKey = (at: Listing) => [...keys.posts, 'public', at] as const;

export function listingQuery({ search, category, page = 1, seed }: Listing) {
  return queryOptions({
    queryKey: listingKey({ search, category, page, seed }),
    queryFn: async ({ signal }) => {
      const listing = await send(api.GET('/posts/public', { params: { query: { page, search, category, seed } }, signal }));
      // The same page, by the address it has from now on.
      if (seed === undefined) queryClient.setQueryData(listingKey({ search, category, page, seed: listing.seed }), listing);
      return listing;
    },
    // Within a seed the order stands; only a changed or deleted post is news.
    staleTime: 60_000,
    // Whoever opens the listing anew gets an order that knows the newest posts.
    ...(seed === undefined ? { gcTime: 0 } : {}),
    meta: { quiet: true },
  });
}

export const postQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.posts, 'one', id] as const,
    queryFn: ({ signal }) => send(api.GET('/posts/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });

export const myPostsQuery = queryOptions({
  queryKey: [...keys.posts, 'mine'] as const,
  queryFn: ({ signal }) => send(api.GET('/posts/my-posts', { signal })),
  meta: { quiet: true },
});
