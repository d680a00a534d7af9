import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { useMaybeMe } from '@/entities/user/queries';

// Most users accepted the current terms at the sign-up. The page works without it.
const TermsNotice = lazyPart(() => import('./terms-notice').catch(() => ({ default: () => <></> })));

export function TermsBanner() {
  const terms = useMaybeMe()?.terms;
  if (!terms || terms.acceptedVersion === terms.currentVersion) return null;
  return (
    <Suspense>
      <TermsNotice version={terms.currentVersion} />
    </Suspense>
  );
}
