import type { QueryClient } from '@tanstack/react-query';
import { ClientOnly, createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { onFirstNotice } from '@/lib/toast';

// Not on the way to the first paint. A page without its code is still a page: it is asked for again when somebody has something to say.
const Nothing = () => <></>;
const toaster = () => lazyPart(() => import('@/features/shell/toaster/toaster').catch(() => ({ default: Nothing })));

const Devtools = import.meta.env.MODE === 'development' ? lazyPart(() => import('@/components/devtools')) : Nothing;

/** What guards and loaders are given. */
export type RouterContext = { queryClient: QueryClient };

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root });

function Root() {
  const [Toaster, setToaster] = useState(toaster);
  useEffect(() => onFirstNotice(() => setToaster(toaster)), []);
  return (
    <>
      <Outlet />
      {/* A dialog hides from a screen reader all that is outside of it but elements with aria-live. The toaster may come after the dialog. */}
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
