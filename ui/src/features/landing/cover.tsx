import { Link } from '@tanstack/react-router';
import { ArrowDown } from 'lucide-react';
import { CLOTH, CONTAINER, STITCHED } from '@/components/classes';
import { Button, buttonVariants } from '@/components/ui/button';
import { Hold, HoldTaka } from '@/entities/deal/khata/hold';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { shell } from '@/i18n/en/shell';
import { aboutBdt, usd } from '@/lib/money';
import { EXAMPLE } from './example';

export function Cover() {
  const t = useTexts(landing);
  const tShell = useTexts(shell);
  const taka = useTaka();
  return (
    <>
      <section data-cover="" className={`overflow-hidden pt-6 pb-22 md:pt-12 md:pb-48 ${CLOTH} ${STITCHED}`}>
        <div className={CONTAINER}>
          <h1 className="font-display text-display-2xl *:block">
            <span>{t('hero.1')}</span> <span>{t('hero.2')}</span>
          </h1>
          <div className="mt-6 grid gap-6 md:mt-8 md:grid-cols-[minmax(0,1.1fr)_auto] md:items-end md:gap-12">
            <p className="max-w-[34em] text-lede">{t('hero.lede')}</p>
            <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
              <Button variant="inverse" asChild>
                <Link to="/signup">{tShell('start')}</Link>
              </Button>
              <a
                className={buttonVariants({ variant: 'link', className: 'decoration-thread hover:decoration-current' })}
                href="#how"
              >
                {t('hero.how')} <ArrowDown aria-hidden="true" />
              </a>
            </div>
          </div>
        </div>
      </section>
      <div className="relative z-2 -mt-16 md:-mt-34">
        <div className={CONTAINER}>
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
          <p className="flex flex-wrap justify-between gap-x-6 pt-3 text-sm text-muted-foreground">
            <span>
              {t('hero.who')} <b className="text-foreground">{t('hero.filled')}</b>
            </span>
            <span>{t('hero.example')}</span>
          </p>
        </div>
      </div>
    </>
  );
}
