/** Reads a parameter of an address: undefined if it is absent, malformed or the default. */
type Param<T> = (value: unknown) => T | undefined;
type Params = Record<string, Param<unknown>>;
type Found<P extends Params> = { [K in keyof P]?: Exclude<ReturnType<P[K]>, undefined> };

export type SearchOf<V extends (search: Record<string, unknown>) => object> = ReturnType<V>;

const without = (names: readonly PropertyKey[]) => Object.fromEntries(names.map((name) => [name, undefined]));

/**
 * The `validateSearch` of a route: keeps well-formed known parameters and makes all others
 * undefined, so that no address fails. `contradicted` names parameters that others rule out. Every
 * page loads it, so it uses no library (docs/decisions/0021-search-parameters.md).
 */
export function searchParams<P extends Params>(params: P, contradicted: (found: Found<P>) => readonly (keyof P)[] = () => []) {
  return (search: Record<string, unknown>): Found<P> => {
    const found = Object.fromEntries(Object.entries(params).map(([name, read]) => [name, read(search[name])])) as Found<P>;
    // The router merges the result into the raw search, so omitted parameters would return.
    return { ...without(Object.keys(search)), ...found, ...without(contradicted(found)) };
  };
}

export const text: Param<string> = (value) => (typeof value === 'string' && value.trim()) || undefined;

/** Search text. The router parses "2024" as a number. */
export const words: Param<string> = (value) => text(typeof value === 'number' ? String(value) : value);

/** One of the known values; numbers may be strings. */
export const oneOf =
  <const T extends string | number>(known: readonly T[]): Param<T> =>
  (value) =>
    known.find((one) => one === value || String(one) === value);

/** One of a list's tabs, of which the first is the default. */
export const tabOf = <const T extends string>(tabs: readonly T[]): Param<T> => oneOf(tabs.slice(1));

const MAX_PAGE = 1_000_000;

/** The page of a list; the first has no parameter. */
export const page: Param<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 1 && Number(value) <= MAX_PAGE ? Number(value) : undefined;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const uuid: Param<string> = (value) => (typeof value === 'string' && UUID.test(value) ? value : undefined);

export const day: Param<string> = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const begins = new Date(value);
  // Some engines parse "2026-02-31" as another date.
  return !Number.isNaN(begins.getTime()) && begins.toISOString().startsWith(value) ? value : undefined;
};
