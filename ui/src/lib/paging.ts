/** The page of an address: nothing for the first one, so that its address is the plain one. */
export function pageNumber(value: unknown): { page?: number } {
  return Number.isSafeInteger(value) && (value as number) > 1 ? { page: value as number } : {};
}
