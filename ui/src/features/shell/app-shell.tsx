import type { ReactNode } from 'react';
import { ABOVE_BAR, SHELL, SHELL_PAGE } from '@/components/classes';
import { cn } from '@/lib/cn';
import { ConnectionBanner } from './banners/connection-banner';
import { PauseBanner } from './banners/pause-banner';
import { TermsBanner } from './banners/terms-banner';
import { VerifyBanner } from './banners/verify-banner';
import { FootLine } from './foot-line';
import { AppHeader } from './navbar/app-header';

/** Header and banners of a member on a public page. */
export function MemberTop() {
  return (
    <>
      <AppHeader />
      <VerifyBanner />
      <ConnectionBanner />
    </>
  );
}

export function AppShell({ children }: { children: ReactNode }) {
  return (
    <div data-slot="shell" className={cn(SHELL, ABOVE_BAR, 'has-[>*>[data-fill]]:h-dvh max-md:has-[>*>[data-fill=alone]]:pt-2')}>
      <AppHeader />
      <VerifyBanner />
      <TermsBanner />
      <PauseBanner />
      <ConnectionBanner />
      <div className={cn(SHELL_PAGE, 'has-[>[data-fill]]:min-h-0 has-[>[data-fill]]:flex-1')}>{children}</div>
      <FootLine />
    </div>
  );
}
