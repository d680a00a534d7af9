import type { QueryClient } from '@tanstack/react-query';

/** State that belongs to a query client and lives as long as it: the page has one client, each test its own. */
export function perClient<T>(create: () => T): (queryClient: QueryClient) => T {
  const states = new WeakMap<QueryClient, T>();
  return (queryClient) => {
    const state = states.get(queryClient) ?? create();
    states.set(queryClient, state);
    return state;
  };
}
