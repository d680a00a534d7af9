import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { Rows } from '@/lib/rows';
import { LIST_PAGE_SIZE } from './list-query';

type Row = { _id: string };
type Change<S> = (now: S) => S;

type Options<S, D> = {
  /** Of the route of the list, as is `navigate`. */
  search: S;
  navigate: (to: { search: Change<NoInfer<S>>; replace: boolean; resetScroll: boolean }) => unknown;
  /** The page of the list that an address chooses. */
  query: (search: NoInfer<S>) => UseQueryOptions<D>;
  /** A failure to load is the route's to show, not the list's. */
  throws?: boolean;
};

/**
 * A list of the admin area: the page that its address chooses, kept fresh, and the ways to another. `QueuePage` shows it, and `useRowReview` adds
 * the row whose drawer is open.
 */
export function useAdminList<S extends { page?: number }, D extends Rows<Row>>({
  search,
  navigate,
  query: queryOf,
  throws = false,
}: Options<S, D>) {
  const query = useQuery({ ...queryOf(search), throwOnError: (_, { state }) => throws && state.data === undefined });
  const { data, error } = query;
  const rows: readonly D['rows'][number][] = data?.rows ?? [];
  const change = (to: Change<S>, replace: boolean) => void navigate({ search: to, replace, resetScroll: false });
  return {
    search,
    /** Null until it is loaded. */
    data: data ?? null,
    rows,
    page: search.page ?? 1,
    /** How many pages there are; null until that is known. */
    pages: data ? Math.ceil(data.total / LIST_PAGE_SIZE) : null,
    /** Set while there is something older to show, and it cannot be refreshed. */
    stale: data && query.isError ? { asOf: query.dataUpdatedAt } : null,
    /** Set when it could not be loaded at all. */
    error: query.isLoadingError ? error : null,
    retry: () => void query.refetch(),
    change,
    /** Another choice begins at its first page. */
    choose: (chosen: S, replace = false) => change(() => chosen, replace),
    goTo: (page: number, replace = false) =>
      change((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace),
  };
}

export type AdminList<S = { page?: number }, R = unknown> = Pick<
  ReturnType<typeof useAdminList>,
  'page' | 'pages' | 'stale' | 'error' | 'retry' | 'goTo'
> & { search: S; rows: readonly R[]; change: (to: Change<S>, replace: boolean) => void };
