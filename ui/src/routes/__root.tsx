import { ClientOnly, createRootRoute, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { NotFoundPage } from '@/features/shell/stand-ins';
import { PlainHeader } from '@/features/shell/visitor-header';

// Not on the way to the first paint.
const Toaster = lazy(() => import('@/components/ui/toaster'));

export const Route = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
});

function Root() {
  return (
    <>
      <Outlet />
      <ClientOnly>
        <Suspense>
          <Toaster />
        </Suspense>
      </ClientOnly>
    </>
  );
}

function NotFound() {
  return (
    <div className="shell">
      <PlainHeader />
      <NotFoundPage />
    </div>
  );
}
