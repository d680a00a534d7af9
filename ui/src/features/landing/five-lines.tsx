import type { Holder } from '@/entities/deal/khata/holder';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { useTexts } from '@/i18n';
import { landingBelow } from '@/i18n/en/landing-below';
import { amount, count } from '@/lib/money';
import { EXAMPLE } from './example';
import { LandingSection, SectionHead } from './sections';

const STEPS: readonly { n: 1 | 2 | 3 | 4 | 5; holder: Holder }[] = [
  { n: 1, holder: 'buyer' },
  { n: 2, holder: 'amanat' },
  { n: 3, holder: 'amanat' },
  { n: 4, holder: 'amanat' },
  { n: 5, holder: 'seller' },
];

export function FiveLines() {
  const t = useTexts(landingBelow);
  const lines: LedgerLine[] = STEPS.map(({ n, holder }) => ({
    key: String(n),
    when: (
      <>
        <b className="inline-block min-w-6 font-display text-md leading-none font-semibold text-foreground normal-nums">
          {count(n)}
        </b>
        {t(`line.${n}.when`)}
      </>
    ),
    what: t(`line.${n}.what`),
    detail: t(`line.${n}.detail`),
    holds: { holder, sum: amount(holder === 'seller' ? EXAMPLE.payout : EXAMPLE.price) },
    ...(holder === 'seller' ? { fee: t('line.fee', { sum: amount(EXAMPLE.fee) }) } : {}),
  }));
  return (
    <LandingSection id="how">
      <SectionHead title={t('how.title')} lede={t('how.lede')} />
      <LedgerLines big label={t('how.table')} lines={lines} />
    </LandingSection>
  );
}
