import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { Calculator } from './calculator';
import { Cover } from './cover';
import { FiveLines } from './five-lines';
import { GoesWrong } from './goes-wrong';
import { Proof } from './proof';
import './landing.css';

/** The landing page: the cover with the hold cut into it, proof, a deal in five lines, the sum, and what if. */
export function Landing() {
  const t = useTexts(landing);
  return (
    <Page title={t('page')} bareTitle bare>
      <Cover />
      <Proof />
      <FiveLines />
      <Calculator />
      <GoesWrong />
    </Page>
  );
}
