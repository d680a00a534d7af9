import { RotateCw, WifiOff } from 'lucide-react';
import { useId, useState } from 'react';
import { CONTAINER, MONEY, NAV_LINE, SHELL, STACK } from '@/components/classes';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { type LastSeen, readLastSeen } from '@/entities/deal/last-seen';
import { useLanguage, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { offline } from '@/i18n/en/offline';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import { AsOf } from './as-of';
import { SeenDeals } from './seen-deals';
import { useReturn } from './use-return';

/** The logo without its link, which could not open. */
function Name() {
  const t = useTexts(common);
  const bangla = useLanguage() === 'bn';
  return (
    <div className="inline-flex min-h-11 items-center gap-2.5">
      <svg className="size-8 flex-none" aria-hidden="true">
        <use href="#mark" />
      </svg>
      <svg className={cn('mt-0.5 h-5.5 w-auto', bangla ? 'aspect-[3.6]' : 'aspect-[4.533]')} aria-hidden="true">
        <use href={bangla ? '#word-bn' : '#word'} />
      </svg>
      <span className="sr-only">{t('amanat')}</span>
    </div>
  );
}

function Balance({ at, value }: NonNullable<LastSeen['balance']>) {
  const t = useTexts(offline);
  const why = useId();
  return (
    <Section title={t('balance')} aside={<AsOf at={at} />}>
      <div className={STACK}>
        <p className={`text-4xl ${MONEY}`}>
          <span className="sr-only">{t('own')} </span>
          {usd(value.own)}
        </p>
        <Facts rows={[[t('held'), usd(value.inEscrow)]]} />
        <div className="flex min-w-0 flex-wrap gap-3">
          <Button disabled aria-describedby={why}>
            {t('deposit')}
          </Button>
          <Button disabled variant="outline" aria-describedby={why}>
            {t('withdraw')}
          </Button>
        </div>
        <p id={why} className="text-sm text-muted-foreground">
          {t('noMoney')}
        </p>
      </div>
    </Section>
  );
}

/**
 * Shown for any address without a network: the data this device saw last, with their time. Opens
 * the address once the site can be reached.
 */
export function OfflinePage({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const t = useTexts(offline);
  const tCommon = useTexts(common);
  const [seen] = useState(() => readLastSeen());
  useReturn(reload);
  return (
    <div className={SHELL}>
      <header className="border-b max-md:pt-2">
        <div className={cn(CONTAINER, NAV_LINE)}>
          <Name />
        </div>
      </header>
      <Page title={t('title')}>
        <div className={cn(STACK, 'gap-10')}>
          <div className={cn(STACK, 'max-w-measure')}>
            <h1 className="font-display text-display-lg">{t('title')}</h1>
            <p className="text-muted-foreground">{t('text')}</p>
            <div>
              <Button variant="outline" onClick={reload}>
                <RotateCw aria-hidden="true" />
                {tCommon('retry')}
              </Button>
            </div>
            <Note kind={seen ? 'wait' : 'info'} icon={<WifiOff aria-hidden="true" />}>
              {t(seen ? 'old' : 'nothing')}
            </Note>
          </div>
          <div className="grid gap-10 lg:grid-cols-2 lg:items-start lg:gap-12">
            {seen?.balance ? <Balance {...seen.balance} /> : null}
            {seen?.deals ? <SeenDeals {...seen.deals} /> : null}
          </div>
        </div>
      </Page>
    </div>
  );
}
