import { createFileRoute, Outlet } from '@tanstack/react-router';
import { requireUser } from '@/entities/user/guards';
import { Confirmation } from '@/features/session/confirmation';
import { SessionEnded } from '@/features/session/session-ended';
import { AppShell } from '@/features/shell/app-shell';

export const Route = createFileRoute('/_app')({
  beforeLoad: requireUser,
  pendingMs: Infinity,
  component: App,
});

function App() {
  return (
    <AppShell>
      <Outlet />
      <Confirmation />
      <SessionEnded />
    </AppShell>
  );
}
