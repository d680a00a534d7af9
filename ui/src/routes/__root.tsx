import { ClientOnly, createRootRoute, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

// Not on the way to the first paint.
const Toaster = lazy(() => import('@/components/ui/toaster'));

export const Route = createRootRoute({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      {/* A dialog hides from a screen reader all that is outside of it but elements with aria-live. The toaster may come after the dialog. */}
      <div aria-live="off">
        <ClientOnly>
          <Suspense>
            <Toaster />
          </Suspense>
        </ClientOnly>
      </div>
    </>
  );
}
