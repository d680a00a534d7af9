import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { Rows } from '@/lib/rows';
import { LIST_PAGE_SIZE } from './list-query';

type Row = { _id: string };
type Change<S> = (now: S) => S;

type Options<S, D> = {
  search: S;
  navigate: (to: { search: Change<NoInfer<S>>; replace: boolean; resetScroll: boolean }) => unknown;
  query: (search: NoInfer<S>) => UseQueryOptions<D>;
  throws?: boolean;
};

/**
 * A list of the admin area: the page in the address, kept fresh, and navigation. `QueuePage`
 * renders it; `useRowReview` adds the row in the drawer.
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
    data: data ?? null,
    rows,
    page: search.page ?? 1,
    pages: data ? Math.ceil(data.total / LIST_PAGE_SIZE) : null,
    /** Set if older data are shown because a refresh failed. */
    stale: data && query.isError ? { asOf: query.dataUpdatedAt } : null,
    error: query.isLoadingError ? error : null,
    retry: () => void query.refetch(),
    change,
    choose: (chosen: S, replace = false) => change(() => chosen, replace),
    goTo: (page: number, replace = false) =>
      change((now) => ({ ...now, page: page === 1 ? undefined : page, review: undefined }), replace),
  };
}

export type AdminList<S = { page?: number }, R = unknown> = Pick<
  ReturnType<typeof useAdminList>,
  'page' | 'pages' | 'stale' | 'error' | 'retry' | 'goTo'
> & { search: S; rows: readonly R[]; change: (to: Change<S>, replace: boolean) => void };
