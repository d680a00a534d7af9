/** Where posts are found. Kept here for the parts of the product that lead there. */
export const MARKETPLACE = '/explore' as string;

/** The search parameters of MARKETPLACE for posts with these words. */
export function postsWith(words: string): object {
  return { search: words };
}

/** A user's own profile. */
export const PROFILE = '/profile' as string;
