import type { QueryClient } from '@tanstack/react-query';
import { ClientOnly, createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { onFirstNotice } from '@/lib/toast';

// Loaded after the first paint. If that fails, the page works without it, and the next notice tries
// again.
const Nothing = () => <></>;
const toaster = () => lazyPart(() => import('@/features/shell/toaster/toaster').catch(() => ({ default: Nothing })));

const Devtools = import.meta.env.MODE === 'development' ? lazyPart(() => import('@/components/devtools')) : Nothing;

export type RouterContext = { queryClient: QueryClient };

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  const [Toaster, setToaster] = useState(toaster);
  useEffect(() => onFirstNotice(() => setToaster(toaster)), []);
  return (
    <>
      <Outlet />
      {/* An open dialog hides everything from screen readers except elements with aria-live,
          and the toaster may mount later. */}
      <div aria-live="off">
        <ClientOnly>
          <Suspense>
            <Toaster />
            <Devtools />
          </Suspense>
        </ClientOnly>
      </div>
    </>
  );
}
