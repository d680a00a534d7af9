import type { ReactNode } from 'react';
import { AppHeader } from './app-header';
import { Connection } from './connection';
import { Footer } from './footer';
import { VerifyBanner } from './verify-banner';

/** The frame of every page behind the sign-in: header, banners, page, footer. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <div className="shell">
      <AppHeader />
      <VerifyBanner />
      <Connection />
      <div className="shell__page">{children}</div>
      <Footer />
    </div>
  );
}
