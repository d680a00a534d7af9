/** Reads one parameter of an address: undefined if it is absent, malformed or the default. */
type Param<T> = (value: unknown) => T | undefined;
type Params = Record<string, Param<unknown>>;
type Found<P extends Params> = { [K in keyof P]?: Exclude<ReturnType<P[K]>, undefined> };

/** What the address of a route may say. */
export type SearchOf<V extends (search: Record<string, unknown>) => object> = ReturnType<V>;

/**
 * The `validateSearch` of a route: it takes the known parameters that are well formed and makes all others undefined, so that no address fails and
 * the plain address stays plain. `contradicted` names the found parameters that others rule out. The routes are loaded with every page, so
 * this is no library (docs/decisions/0021-search-parameters.md).
 */
export function searchParams<P extends Params>(params: P, contradicted: (found: Found<P>) => readonly (keyof P)[] = () => []) {
  return (search: Record<string, unknown>): Found<P> => {
    const read = (names: string[]) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = params[name]?.(search[name]);
          return value === undefined ? [] : [[name, value]];
        }),
      ) as Found<P>;
    const found = read(Object.keys(params));
    const without = contradicted(found);
    // The router lays the result over the raw search: what is left out would come back.
    const dropped = Object.fromEntries([...Object.keys(search), ...Object.keys(params)].map((name) => [name, undefined]));
    return { ...dropped, ...read(Object.keys(found).filter((name) => !without.includes(name))) };
  };
}

/** A text without the space around it. */
export const text: Param<string> = (value) => (typeof value === 'string' && value.trim()) || undefined;

/** What somebody typed to search for: the router reads "2024" as a number. */
export const words: Param<string> = (value) => text(typeof value === 'number' ? String(value) : value);

/** One of the known values. Numbers may be written as text. */
export const oneOf =
  <const T extends string | number>(known: readonly T[]): Param<T> =>
  (value) =>
    known.find((one) => one === value || String(one) === value);

/** The server has no page after it. */
const MOST_PAGES = 1_000_000;

/** The page of a list; the first is the plain address. */
export const page: Param<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 1 && Number(value) <= MOST_PAGES ? Number(value) : undefined;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id of ours. */
export const uuid: Param<string> = (value) => (typeof value === 'string' && UUID.test(value) ? value : undefined);

/** A day as YYYY-MM-DD. */
export const day: Param<string> = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const begins = new Date(value);
  // "2026-02-31" is a date to some engines, but another one.
  return !Number.isNaN(begins.getTime()) && begins.toISOString().startsWith(value) ? value : undefined;
};
