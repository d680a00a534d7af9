import type { QueryClient } from '@tanstack/react-query';
import { createRouter, lazyRouteComponent, type RouterHistory, useRouterState } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { ErrorPage, LoadingPage } from './features/shell/fallback-pages';
import { routeTree } from './routeTree.gen';

/** Shows a spinner while the session is checked, before the first page. */
function SessionSpinner({ children }: { children: ReactNode }): ReactElement {
  const nothing: boolean = useRouterState({ select: (state) => !state.matches[0] });
  return (
    <>
      {children}
      {nothing && <LoadingPage />}
    </>
  );
}

/** Creates the router. Tests and prerendering pass their own history. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    // TanStack Query decides what is stale.
    defaultPreloadStaleTime: 0,
    // Layouts that wait for the session set Infinity: once shown as pending, the router keeps them
    // so until the page's data arrive, and the page's skeleton never shows on a first load.
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ErrorPage,
    // Unknown addresses have a route of their own, so other pages do not load this.
    defaultNotFoundComponent: lazyRouteComponent(() => import('./features/shell/not-found'), 'NotFoundPage'),
    InnerWrap: SessionSpinner,
  });
  // The router scrolls to the top on a new path; the focus moves there, too, so that screen readers
  // start at the top. With a hash, the page chooses.
  router.subscribe('onResolved', ({ fromLocation, toLocation }) => {
    if (!fromLocation || fromLocation.pathname === toLocation.pathname || toLocation.hash) return;
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
    /** Opens /support for this deal. */
    deal?: { _id: string; title: string };
    actionType?: 'deposit' | 'withdraw';
    /** /deposit was opened on the page of the deal in its search, which showed these terms. */
    fromDeal?: { terms: number; at: number };
    closed?: true;
    /** Opens the share sheet of a new post. */
    published?: { _id: string; title: string };
    /** A login or sign-up was just completed. */
    entered?: true;
  }
}
