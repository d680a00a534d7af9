import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The page of a match, whatever its search. */
const pageOf = ({ routeId, pathname }: { routeId: string; pathname: string }) => `${routeId} ${pathname}`;

/**
 * Whether the reader is still on this page, and not on the way to one that is loading. Asked before a page navigates without a click, as when an
 * answer arrives or time is up: the page that the reader has chosen meanwhile counts.
 */
export function useStillHere(): () => boolean {
  const router = useRouter();
  const page = useMatch({ strict: false, select: pageOf });
  return useCallback(() => {
    const { pathname, search } = router.latestLocation;
    return router.matchRoutes(pathname, search).some((match) => pageOf(match) === page);
  }, [router, page]);
}
