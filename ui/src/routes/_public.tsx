import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SessionEnded } from '@/features/session/session-ended';
import { PublicShell } from '@/features/shell/public-shell';
import { allowEverybody } from '@/lib/guards';
import { useMaybeMe } from '@/lib/queries';

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
      {me ? <SessionEnded /> : null}
    </PublicShell>
  );
}
