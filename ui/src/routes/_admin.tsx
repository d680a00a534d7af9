import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AdminFrame } from '@/features/admin/admin-frame';
import { SessionEnded } from '@/features/session/session-ended';
import { Connection } from '@/features/shell/connection';
import { NotificationsBell } from '@/features/shell/notifications-bell';
import { ProfileMenu } from '@/features/shell/profile-menu';
import { SkipLink } from '@/features/shell/switches';
import { VerifyBanner } from '@/features/shell/verify-banner';
import { requireAdmin } from '@/lib/guards';

export const Route = createFileRoute('/_admin')({
  beforeLoad: requireAdmin,
  pendingMs: Infinity,
  component: Admin,
});

function Admin() {
  return (
    <div className="flex min-h-dvh flex-col wide:h-dvh">
      <SkipLink />
      <AdminFrame
        menu={
          <>
            <NotificationsBell />
            <ProfileMenu />
          </>
        }
        banners={
          <>
            <VerifyBanner />
            <Connection />
          </>
        }
      >
        <Outlet />
      </AdminFrame>
      <SessionEnded />
    </div>
  );
}
