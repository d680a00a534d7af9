import { lazy, Suspense } from 'react';
import { useMaybeMe } from '@/lib/queries';

// Most users have verified long ago. Without its code the page is whole, too.
const VerifyReminder = lazy(() => import('./verify-reminder').catch(() => ({ default: () => <></> })));

/** Reminds of the address until it is verified; it blocks nothing (SPEC §2). */
export function VerifyBanner() {
  const me = useMaybeMe();
  if (!me || me.isVerified) return null;
  return (
    <Suspense>
      <VerifyReminder />
    </Suspense>
  );
}
