import type { QueryClient } from '@tanstack/react-query';
import { createRouter, lazyRouteComponent, type RouterHistory, useRouterState } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { ErrorPage, LoadingPage } from './features/shell/fallback-pages';
import { routeTree } from './routeTree.gen';

/** A centred spinner while the session is checked, which is before any page stands. */
function BeforeAnyPage({ children }: { children: ReactNode }): ReactElement {
  const nothing: boolean = useRouterState({ select: (state) => !state.matches[0] });
  return (
    <>
      {children}
      {nothing && <LoadingPage />}
    </>
  );
}

/** The application's router. Tests and the prerendering give it a history of their own. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    // Freshness is the query client's business alone.
    defaultPreloadStaleTime: 0,
    // Layouts that wait for the session say Infinity: once such a one is shown as pending, the router keeps it so until the page's own data
    // are there, and the page's skeleton is never seen on a first load.
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ErrorPage,
    // Unknown addresses have a route of their own; no other page carries what it shows.
    defaultNotFoundComponent: lazyRouteComponent(() => import('./features/shell/not-found'), 'NotFoundPage'),
    InnerWrap: BeforeAnyPage,
  });
  // The window scrolls to the top on every path change. The focus goes to the new page with it, so that a screen reader starts there.
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
    /** The deal that /support was opened for. */
    deal?: { _id: string; title: string };
    /** What /deposit or /withdraw was opened for. */
    actionType?: 'deposit' | 'withdraw';
    /** Why /login is shown: the account was closed. */
    closed?: true;
    /** A login or sign-up has just been completed. */
    entered?: true;
  }
}
