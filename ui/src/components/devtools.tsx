import { ReactQueryDevtools } from '@tanstack/react-query-devtools';
import { TanStackRouterDevtools } from '@tanstack/react-router-devtools';
import { queryClient } from '@/lib/query-client';

/** The panels of Query and Router, in `vite dev` alone. A default export because it is a lazy chunk. */
export default function Devtools() {
  return (
    <>
      <ReactQueryDevtools client={queryClient} buttonPosition="bottom-left" />
      <TanStackRouterDevtools position="bottom-right" />
    </>
  );
}
