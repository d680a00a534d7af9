import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
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
    <div className="shell">
      <VisitorHeader cover={pathname === '/'} />
      <OfflineBanner />
      <div className="shell__page">
        <Outlet />
      </div>
      <Footer />
    </div>
  );
}
