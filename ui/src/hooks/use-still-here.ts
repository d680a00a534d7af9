import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The page of a match, whatever its search. */
const pageOf = ({ routeId, pathname }: { routeId: string; pathname: string }) => `${routeId} ${pathname}`;

/**
 * Reports whether the user is still on this page and not leaving it. Ask before navigating without
 * a click, as when a response arrives: a page chosen meanwhile wins.
 */
export function useStillHere(): () => boolean {
  const router = useRouter();
  const page = useMatch({ strict: false, select: pageOf });
  return useCallback(() => {
    const { pathname, search } = router.latestLocation;
    return router.matchRoutes(pathname, search).some((match) => pageOf(match) === page);
  }, [router, page]);
}
