import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedSearch } from '@/api/contract';
import { keys } from '@/entities/keys';
import { CATEGORIES } from '@/entities/post/categories';
import { useMaybeMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { savedSearches as texts } from '@/i18n/en/saved-searches';
import { api, send } from '@/lib/api';
import { writeThrough } from '@/lib/write-through';
import type { Listing } from './explore/explore-search';

export const searchesQuery = queryOptions({
  queryKey: [...keys.posts, 'searches'] as const,
  queryFn: ({ signal }) => send(api.GET('/posts/saved/searches', { signal })),
  staleTime: 60_000,
  meta: { quiet: true },
});

/** The address of a saved search. */
export const addressOfSaved = ({ search, category, subcategory, min, max, facts }: SavedSearch): Listing => ({
  sort: 'newest',
  search: search || undefined,
  category: CATEGORIES.find((known) => known === category),
  subcategory: subcategory || undefined,
  min: min ?? undefined,
  max: max ?? undefined,
  facts: facts || undefined,
});

/** Whether an address has words or a filter, besides an order. */
export const isSavable = ({ search, category, subcategory, min, max, facts }: Listing): boolean =>
  [search, category, subcategory, min, max, facts].some((value) => value !== undefined);

const identity = ({ search = '', category, subcategory, min, max, facts = '' }: Listing): string =>
  JSON.stringify([search.toLowerCase(), category, subcategory, min, max, facts.split(',').sort()]);

const FAILED = { fallback: () => translate(texts, 'failed') };

function put(queryClient: QueryClient, id: string, saved: SavedSearch | null): void {
  writeThrough<SavedSearch[]>(queryClient, searchesQuery.queryKey, (list) => {
    if (!saved) return list.filter(({ _id }) => _id !== id);
    if (list.some(({ _id }) => _id === id)) return list.map((search) => (search._id === id ? saved : search));
    return [saved, ...list];
  });
}

/** The saved search of an address, if it is saved, and how to save or remove it. */
export function useSavedSearch(at: Listing) {
  const queryClient = useQueryClient();
  const me = useMaybeMe();
  const { data } = useQuery({ ...searchesQuery, enabled: me !== null });
  const saved = data?.find((search) => identity(addressOfSaved(search)) === identity(at));
  const { search, category, subcategory, min, max, facts } = at;
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (save: boolean) => {
      const query = { search, category, subcategory, min: min?.toString(), max: max?.toString(), facts };
      if (save) return send(api.PUT('/posts/saved/searches', { params: { query } }));
      if (saved) await send(api.DELETE('/posts/saved/searches/{id}', { params: { path: { id: saved._id } } }));
      return null;
    },
    meta: FAILED,
    onSuccess: (result) => put(queryClient, result?._id ?? saved?._id ?? '', result),
    // It was changed elsewhere.
    onError: () => void queryClient.invalidateQueries(searchesQuery),
  });
  return { saved, pressed: isPending ? variables : saved !== undefined, save: (wanted: boolean) => !isPending && mutate(wanted) };
}

export function useFrequency(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (frequency: SavedSearch['frequency']) =>
      send(api.PATCH('/posts/saved/searches/{id}', { params: { path: { id } }, body: { frequency } })),
    meta: FAILED,
    onSuccess: (saved) => put(queryClient, id, saved),
    onError: () => void queryClient.invalidateQueries(searchesQuery),
  });
}
