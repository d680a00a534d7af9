import { createFileRoute, Outlet } from '@tanstack/react-router';
import { requireUser } from '@/entities/user/guards';
import { Confirmation } from '@/entities/user/second-factor/confirmation-prompt';
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
