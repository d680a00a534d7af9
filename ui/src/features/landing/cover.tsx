import { Link } from '@tanstack/react-router';
import { ArrowDown } from 'lucide-react';
import { Hold, HoldTaka } from '@/components/khata/hold';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { shell } from '@/i18n/en/shell';
import { aboutBdt, usd } from '@/lib/money';
import { useTaka } from '@/lib/use-taka';
import { EXAMPLE } from './example';

/** The promise on cloth, and under it the example deal as three columns. */
export function Cover() {
  const t = useTexts(landing);
  const s = useTexts(shell);
  const taka = useTaka();
  return (
    <>
      <section className="hero cloth cover-page">
        <div className="wrap">
          <h1 className="d72">
            <span>{t('hero.1')}</span> <span>{t('hero.2')}</span>
          </h1>
          <div className="hero__row">
            <p className="lede">{t('hero.lede')}</p>
            <div className="hero__cta">
              <Button variant="white" asChild>
                <Link to="/signup">{s('start')}</Link>
              </Button>
              <a className="link" href="#how">
                {t('hero.how')} <ArrowDown aria-hidden="true" />
              </a>
            </div>
          </div>
        </div>
      </section>
      <div className="hero__page">
        <div className="wrap">
          <Hold
            cover
            holder="amanat"
            buyer={{ name: t('nusrat'), sum: usd(EXAMPLE.price), note: t('hero.paid') }}
            amanat={{
              sum: usd(EXAMPLE.price),
              note: (
                <>
                  <HoldTaka>{taka ? aboutBdt(taka(EXAMPLE.price)) : null}</HoldTaka>
                  {t('hero.held')}
                </>
              ),
            }}
            seller={{ name: t('tanvir'), sum: usd(EXAMPLE.payout), note: t('hero.whenYes') }}
          />
          <p className="hero__cap">
            <span>
              {t('hero.who')} <b>{t('hero.filled')}</b>
            </span>
            <span>{t('hero.example')}</span>
          </p>
        </div>
      </div>
    </>
  );
}
