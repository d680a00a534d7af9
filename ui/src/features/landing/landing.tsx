import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { Cover } from './cover';
import { Proof } from './proof';

// Hydrated after the cover; its text is prerendered.
const Below = lazyPart(() => import('./below-fold'));

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
