/** The address of a mailed link. */
export type TokenSearch = { token?: string };

export function tokenSearch(search: Record<string, unknown>): TokenSearch {
  return typeof search.token === 'string' && search.token !== '' ? { token: search.token } : {};
}
