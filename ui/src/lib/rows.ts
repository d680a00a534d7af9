import type { InfiniteData } from '@tanstack/react-query';

export type Rows<T> = { rows: T[]; total: number };
export type RowPages<T> = InfiniteData<Rows<T>, number>;

/** The number of the next page; undefined if all rows are loaded. */
export function nextPage<T>(last: Rows<T>, pages: readonly Rows<T>[]): number | undefined {
  const loaded = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  return last.rows.length > 0 && loaded < last.total ? pages.length + 1 : undefined;
}

/** The loaded rows without duplicates: pages shift when rows are added or removed. */
export function rowsOf<T extends { _id: string }>(pages: readonly Rows<T>[]): T[] {
  return [...new Map(pages.flatMap(({ rows }) => rows).map((row) => [row._id, row])).values()];
}

/** The number of rows in all, from the page loaded last. */
export function totalOf<T>(pages: readonly Rows<T>[]): number {
  return pages.at(-1)?.total ?? 0;
}

export function withoutRow<T extends { _id: string }>(data: RowPages<T> | undefined, id: string): RowPages<T> | undefined {
  if (!data?.pages.some(({ rows }) => rows.some(({ _id }) => _id === id))) return data;
  const pages = data.pages.map(({ rows, total }) => ({ rows: rows.filter(({ _id }) => _id !== id), total: total - 1 }));
  return { ...data, pages };
}

const MAX_PAGES = 10;

/** The rows of all pages, at most ten. */
export async function allRows<T extends { _id: string }>(load: (page: number) => Promise<Rows<T>>): Promise<Rows<T>> {
  const pages: Rows<T>[] = [];
  for (let page: number | undefined = 1; page !== undefined && page <= MAX_PAGES; ) {
    const loaded = await load(page);
    pages.push(loaded);
    page = nextPage(loaded, pages);
  }
  return { rows: rowsOf(pages), total: totalOf(pages) };
}
