import { createFileRoute, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { allowEverybody } from '@/entities/user/guards';
import { useMaybeMe } from '@/entities/user/queries';
import { PublicShell } from '@/features/shell/public-shell';

// Most users of these pages are visitors.
const SessionEnded = lazyPart(async () => ({ default: (await import('@/features/session/session-ended')).SessionEnded }));

export const Route = createFileRoute('/_public')({
  beforeLoad: allowEverybody,
  pendingMs: Infinity,
  component: Public,
});

function Public() {
  const me = useMaybeMe();
  return (
    <PublicShell>
      <Outlet />
      {me ? (
        <Suspense>
          <SessionEnded />
        </Suspense>
      ) : null}
    </PublicShell>
  );
}
