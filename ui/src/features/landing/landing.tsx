import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { Calculator } from './calculator';
import { Cover } from './cover';
import { FiveLines } from './five-lines';
import { GoesWrong } from './goes-wrong';
import { Papers, Referral } from './last-sections';
import { Proof } from './proof';
import { LandingSection } from './sections';
import { Trade } from './trade';

/** The landing page: the cover with the hold cut into it, proof, a deal in five lines, the sum, what if, what is traded, the referral and the papers. */
export function Landing() {
  const t = useTexts(landing);
  return (
    <Page title={t('page')} bareTitle bare>
      <Cover />
      <Proof />
      <FiveLines />
      <Calculator />
      <GoesWrong />
      <Trade />
      <LandingSection className="grid gap-12 md:grid-cols-2 md:gap-16">
        <Referral />
        <Papers />
      </LandingSection>
    </Page>
  );
}
