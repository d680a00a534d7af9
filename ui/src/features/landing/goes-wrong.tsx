import type { Holder } from '@/components/khata/holder';
import { Strip } from '@/components/khata/strip';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { usd } from '@/lib/money';
import { EXAMPLE } from './example';

const CASES: readonly { who: 'seller' | 'both' | 'buyer'; holder: Holder; sum: number }[] = [
  { who: 'seller', holder: 'buyer', sum: EXAMPLE.price },
  { who: 'both', holder: 'amanat', sum: EXAMPLE.price },
  { who: 'buyer', holder: 'seller', sum: EXAMPLE.payout },
];

/** The three ways in which a deal goes wrong, and where the money is then. */
export function GoesWrong() {
  const t = useTexts(landing);
  return (
    <section className="wrap lsec">
      <div className="lhead">
        <h2 className="d40">{t('wrong.title')}</h2>
      </div>
      <div className="whatif">
        {CASES.map(({ who, holder, sum }) => (
          <div key={who}>
            <h3 className="d20">{t(`wrong.${who}.title`)}</h3>
            <p className="m">{t(`wrong.${who}.text`)}</p>
            <Strip holder={holder}>{t(`wrong.${who}.strip`, { sum: usd(sum) })}</Strip>
          </div>
        ))}
      </div>
    </section>
  );
}
