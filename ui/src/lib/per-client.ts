import type { QueryClient } from '@tanstack/react-query';

/** State per query client, with its lifetime. The page has one client, each test its own. */
export function perClient<T>(create: () => T): (queryClient: QueryClient) => T {
  const states = new WeakMap<QueryClient, T>();
  return (queryClient) => {
    const state = states.get(queryClient) ?? create();
    states.set(queryClient, state);
    return state;
  };
}
