import { useState } from 'react';
import { useCloseAddress } from '@/hooks/use-close-address';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import type { AdminList } from './use-admin-list';

type Row = { _id: string };
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
