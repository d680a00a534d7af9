import { createFileRoute, Outlet } from '@tanstack/react-router';
import { requireAdmin } from '@/entities/user/guards';
import { AdminFrame } from '@/features/admin/frame/admin-frame';
import { SessionEnded } from '@/features/session/session-ended';
import { ConnectionBanner } from '@/features/shell/banners/connection-banner';
import { TermsBanner } from '@/features/shell/banners/terms-banner';
import { VerifyBanner } from '@/features/shell/banners/verify-banner';
import { ProfileMenu } from '@/features/shell/navbar/profile-menu';
import { SkipLink } from '@/features/shell/navbar/switches';
import { NotificationsBell } from '@/features/shell/notifications/notifications-bell';

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
            <TermsBanner />
            <ConnectionBanner />
          </>
        }
      >
        <Outlet />
      </AdminFrame>
      <SessionEnded />
    </div>
  );
}
