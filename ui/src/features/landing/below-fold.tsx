import { useEffect } from 'react';
import { completeHydration } from '@/prerender/hydration';
import { Calculator } from './calculator';
import { FiveLines } from './five-lines';
import { GoesWrong } from './goes-wrong';
import { Papers, Referral } from './last-sections';
import { LandingSection } from './sections';
import { Trade } from './trade';

export default function BelowFold() {
  useEffect(completeHydration, []);
  return (
    <>
      <FiveLines />
      <Calculator />
      <GoesWrong />
      <Trade />
      <LandingSection className="grid gap-12 md:grid-cols-2 md:gap-16">
        <Referral />
        <Papers />
      </LandingSection>
    </>
  );
}
