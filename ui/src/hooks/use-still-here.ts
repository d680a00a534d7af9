import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

const pageOf = ({ routeId, pathname }: { routeId: string; pathname: string }) => `${routeId} ${pathname}`;

/** Ask before navigating without a click: a page chosen meanwhile wins. */
export function useStillHere(): () => boolean {
  const router = useRouter();
  const page = useMatch({ strict: false, select: pageOf });
  return useCallback(() => {
    const { pathname, search } = router.latestLocation;
    return router.matchRoutes(pathname, search).some((match) => pageOf(match) === page);
  }, [router, page]);
}
