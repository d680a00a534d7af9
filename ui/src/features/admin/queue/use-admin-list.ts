import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCloseAddress } from '@/hooks/use-close-address';
import type { Rows } from '@/lib/rows';
import { useShortcuts } from '../shortcuts/shortcuts';
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
    /** Adds filters to the address, which may have one that the page does not show yet. */
    choose: (chosen: NoInfer<S>, replace = false) =>
      change((now) => ({ ...now, ...chosen, page: undefined, review: undefined }), replace),
    goTo: (page: number, replace = false) => change((now) => ({ ...now, page, review: undefined }), replace),
  };
}

export type AdminList<S = { page?: number }, R = unknown> = Pick<
  ReturnType<typeof useAdminList>,
  'page' | 'pages' | 'stale' | 'error' | 'retry' | 'goTo'
> & { search: S; rows: readonly R[]; change: (to: Change<S>, replace: boolean) => void };

type Kept<R> = { row: R; position: number };

/** The row in the drawer. `listed` is false once it has left the current page. */
export type Reviewed<R> = Kept<R> & { listed: boolean };

/** Keeps the row when a refresh removes it, so that the drawer does not close under the admin. */
function useReviewed<R extends Row>(rows: readonly R[], id: string | undefined) {
  const [kept, setKept] = useState<Kept<R> | null>(null);
  const position = id === undefined ? -1 : rows.findIndex((row) => row._id === id);
  const row = rows[position];
  if (row && (kept?.row !== row || kept.position !== position)) setKept({ row, position });
  const current = row ? { row, position } : kept?.row._id === id ? kept : null;
  const reviewed: Reviewed<R> | null = current ? { ...current, listed: row !== undefined } : null;
  return { reviewed, keep: (fresh: R) => setKept((now) => (now?.row._id === fresh._id ? { ...now, row: fresh } : now)) };
}

export const rowLinkId = (id: string): string => `row-${id}`;

/** The row in the drawer, and the ways to another: a link, J and K, Next. */
export function useRowReview<S extends { review?: string }, R extends Row>({ rows, search, change }: AdminList<S, R>) {
  const { reviewed, keep } = useReviewed(rows, search.review);
  const closeAddress = useCloseAddress('review');
  const open = (row: R | undefined) => {
    if (row) change((now) => ({ ...now, review: row._id }), true);
  };
  // If the row is gone, the next one has its position.
  const next = reviewed ? rows[reviewed.listed ? reviewed.position + 1 : reviewed.position] : rows[0];
  const previous = reviewed ? rows[reviewed.position - 1] : rows.at(-1);
  useShortcuts({ j: () => open(next), k: () => open(previous) });
  return {
    reviewed,
    keep,
    onNext: next ? () => open(next) : null,
    nextId: next?._id ?? null,
    onClose: () => closeAddress(() => change((now) => ({ ...now, review: undefined }), true)),
  };
}
