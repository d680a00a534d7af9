import type { ReactNode } from 'react';
import { AppHeader } from './app-header';
import { Footer } from './footer';
import { OfflineBanner } from './offline-banner';
import { VerifyBanner } from './verify-banner';

/** The frame of every page behind the sign-in: header, banners, page, footer. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <div className="shell">
      <AppHeader />
      <VerifyBanner />
      <OfflineBanner />
      <div className="shell__page">{children}</div>
      <Footer />
    </div>
  );
}
