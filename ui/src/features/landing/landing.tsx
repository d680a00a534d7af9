import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { Cover } from './cover';
import { Proof } from './proof';

// Its text is in the page already, so its code is hydrated after the cover's.
const Below = lazyPart(() => import('./below-fold'));

/** The landing page: the cover with the hold cut into it, proof, and the sections below the fold. */
export function Landing() {
  const t = useTexts(landing);
  return (
    <Page title={t('page')} bareTitle bare late>
      <Cover />
      <Proof />
      <Suspense>
        <Below />
      </Suspense>
    </Page>
  );
}
