import { Strip } from '@/entities/deal/khata/strip';
import { useTexts } from '@/i18n';
import { landingBelow } from '@/i18n/en/landing-below';
import { usd } from '@/lib/money';
import { EXAMPLE } from './example';
import { LandingSection, SectionHead } from './sections';

/** Who acts, and who then holds the money. */
const CASES = [
  ['seller', 'buyer'],
  ['both', 'amanat'],
  ['buyer', 'seller'],
] as const;

export function GoesWrong() {
  const t = useTexts(landingBelow);
  return (
    <LandingSection>
      <SectionHead title={t('wrong.title')} />
      <div className="grid gap-8 min-[960px]:grid-cols-3">
        {CASES.map(([who, holder]) => (
          <div key={who} className="grid grid-rows-[auto_1fr_auto] gap-2 border-t-2 border-foreground pt-3">
            <h3 className="font-display text-display-xs">{t(`wrong.${who}.title`)}</h3>
            <p className="text-muted-foreground">{t(`wrong.${who}.text`)}</p>
            <Strip holder={holder} className="mt-3 h-10 grid-cols-3 max-[360px]:text-caption">
              {t(`wrong.${who}.strip`, { sum: usd(holder === 'seller' ? EXAMPLE.payout : EXAMPLE.price) })}
            </Strip>
          </div>
        ))}
      </div>
    </LandingSection>
  );
}
