import { type ReactNode, Suspense } from 'react';
import { ABOVE_BAR, SHELL, SHELL_PAGE } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { useMaybeMe } from '@/entities/user/queries';
import { cn } from '@/lib/cn';
import { OfflineBanner } from './banners/offline-banner';
import { Footer } from './footer';
import { PlainHeader, VisitorHeader } from './navbar/visitor-header';

// Most users of these pages are visitors.
const MemberTop = lazyPart(async () => ({ default: (await import('./app-shell')).MemberTop }));
const FootLine = lazyPart(async () => ({ default: (await import('./foot-line')).FootLine }));

/** The frame of public pages. A login or logout only changes the header, so input is kept. */
export function PublicShell({ children }: { children: ReactNode }) {
  const me = useMaybeMe();
  return (
    <div data-slot="shell" className={cn(SHELL, me && ABOVE_BAR)}>
      {me ? (
        <Suspense
          fallback={
            <>
              <PlainHeader />
              <OfflineBanner />
            </>
          }
        >
          <MemberTop />
        </Suspense>
      ) : (
        <>
          <VisitorHeader />
          <OfflineBanner />
        </>
      )}
      <div className={SHELL_PAGE}>{children}</div>
      {me ? (
        <Suspense>
          <FootLine />
        </Suspense>
      ) : (
        <Footer />
      )}
    </div>
  );
}
