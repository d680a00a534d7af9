/** In its own module, because address parsing must not load the search. */
export const MIN_SEARCH_LENGTH = 2;
