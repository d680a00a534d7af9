import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
import { SHELL, SHELL_PAGE } from '@/components/classes';
import { requireGuest } from '@/entities/user/guards';
import { OfflineBanner } from '@/features/shell/banners/offline-banner';
import { Footer } from '@/features/shell/footer';
import { VisitorHeader } from '@/features/shell/navbar/visitor-header';

export const Route = createFileRoute('/_guest')({
  beforeLoad: requireGuest,
  component: Guest,
});

function Guest() {
  const { pathname } = useLocation();
  return (
    <div data-slot="shell" className={SHELL}>
      <VisitorHeader cover={pathname === '/'} />
      <OfflineBanner />
      <div className={SHELL_PAGE}>
        <Outlet />
      </div>
      <Footer />
    </div>
  );
}
