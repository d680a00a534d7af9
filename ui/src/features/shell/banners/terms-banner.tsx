import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { useMaybeMe } from '@/entities/user/queries';

// Most users have accepted them when they signed up. Without its code the page is whole, too.
const TermsNotice = lazyPart(() => import('./terms-notice').catch(() => ({ default: () => <></> })));

/** Asks whoever has accepted older terms to accept the present ones; it blocks nothing. */
export function TermsBanner() {
  const terms = useMaybeMe()?.terms;
  if (!terms || terms.acceptedVersion === terms.currentVersion) return null;
  return (
    <Suspense>
      <TermsNotice version={terms.currentVersion} />
    </Suspense>
  );
}
