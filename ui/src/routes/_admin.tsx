import { createFileRoute, Outlet } from '@tanstack/react-router';
import { SessionEnded } from '@/features/session/session-ended';
import { AppShell } from '@/features/shell/app-shell';
import { requireAdmin } from '@/lib/guards';

export const Route = createFileRoute('/_admin')({
  beforeLoad: requireAdmin,
  component: Admin,
});

function Admin() {
  return (
    <AppShell>
      <Outlet />
      <SessionEnded />
    </AppShell>
  );
}
