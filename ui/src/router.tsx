import { createRouter, type RouterHistory, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorPage, LoadingPage, NotFoundPage } from './features/shell/stand-ins';
import { routeTree } from './routeTree.gen';

/** SPEC §2: a centred spinner while the session is checked, which is before any page stands. */
function BeforeAnyPage({ children }: { children: ReactNode }): ReactNode {
  const nothing: boolean = useRouterState({ select: ({ matches }) => !matches.length });
  return (
    <>
      {children}
      {nothing ? <LoadingPage /> : null}
    </>
  );
}

/** The application's router; tests give it a history of their own. */
export function createAppRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    // Freshness is the query client's business alone.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    InnerWrap: BeforeAnyPage,
  });
  // SPEC §2: the window scrolls to the top on every path change. The focus goes to the new page with it, so that a screen reader starts there.
  router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
    if (!fromLocation || fromLocation.pathname === toLocation.pathname) return;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface HistoryState {
    /** The deal that /support was opened for (SPEC §2). */
    deal?: { _id: string; title: string };
  }
}
