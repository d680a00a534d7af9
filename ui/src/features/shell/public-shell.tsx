import type { ReactNode } from 'react';
import { useMaybeMe } from '@/lib/queries';
import { AppHeader } from './app-header';
import { Connection } from './connection';
import { Footer } from './footer';
import { OfflineBanner } from './offline-banner';
import { VerifyBanner } from './verify-banner';
import { VisitorHeader } from './visitor-header';

/** The frame of pages that everybody may open. Only the header changes when somebody logs in or out: the page stays, with what was typed. */
export function PublicShell({ children }: { children: ReactNode }) {
  const me = useMaybeMe();
  return (
    <div className="shell">
      {me ? <AppHeader /> : <VisitorHeader />}
      <VerifyBanner />
      {me ? <Connection /> : <OfflineBanner />}
      <div className="shell__page">{children}</div>
      <Footer />
    </div>
  );
}
