/** A search for users starts with the second letter. Apart from the search itself, which the addresses of pages do without. */
export const MIN_SEARCH_LENGTH = 2;
