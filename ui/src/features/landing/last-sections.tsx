import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { rewardOf, usd } from '@/lib/money';
import { EXAMPLE } from './example';

/** The referral programme: 1% of the friend's deals. The link is on /refer, behind the sign-up. */
export function Referral() {
  const t = useTexts(landing);
  return (
    <section className="sec">
      <h2 className="d32">{t('refer.title')}</h2>
      <p className="m">{t('refer.text')}</p>
      <p className="eg">
        <span>
          {t('refer.deal')} <b className="cash">{usd(EXAMPLE.price)}</b>
        </span>
        <span>
          {t('refer.earn')} <b className="cash">{usd(rewardOf(EXAMPLE.price))}</b>
        </span>
      </p>
      <Link className="link" to="/signup">
        {t('refer.link')} <ArrowRight className="i16" aria-hidden="true" />
      </Link>
    </section>
  );
}

const PAPERS = [
  ['licence', 'trade-licence'],
  ['tax', 'tax-certificate'],
  ['bank', 'bank-document'],
] as const;

/** The papers of the company, small; /papers shows them large. */
export function Papers() {
  const t = useTexts(landing);
  return (
    <section className="sec">
      <h2 className="d32">{t('papers.title')}</h2>
      <div className="papers">
        {PAPERS.map(([name, file]) => (
          <Link key={name} to="/papers">
            <img className="paper" src={`/papers/${file}.svg`} alt="" width={600} height={800} loading="lazy" />
            <b className="b">{t(`papers.${name}`)}</b>
          </Link>
        ))}
      </div>
    </section>
  );
}
