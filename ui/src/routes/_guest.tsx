import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
import { SHELL, SHELL_PAGE } from '@/components/classes';
import { Footer } from '@/features/shell/footer';
import { OfflineBanner } from '@/features/shell/offline-banner';
import { VisitorHeader } from '@/features/shell/visitor-header';
import { requireGuest } from '@/lib/guards';

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
