import { useState } from 'react';
import { MONEY, TAKA, TOTAL } from '@/components/classes';
import { MoneyInput } from '@/components/money-input';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { landingBelow } from '@/i18n/en/landing-below';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, feeOf, localDigits, usd } from '@/lib/money';
import { EXAMPLE } from './example';
import { LandingSection, SectionTitle } from './sections';

const ONE_DOLLAR = 100;

function Line({ label, sum }: { label: string; sum: number }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b py-3.5">
      <dt>{label}</dt>
      <dd className={`${MONEY} text-[clamp(1.5rem,1.2rem+1.4vw,2.25rem)]`}>{usd(sum)}</dd>
    </div>
  );
}

export function Calculator() {
  const t = useTexts(landingBelow);
  const tCommon = useTexts(common);
  const taka = useTaka();
  const [typed, setTyped] = useState('480.00');
  const price = parseCents(typed) ?? 0;
  const fee = feeOf(price);
  const title = price === EXAMPLE.price ? t('calc.title', { price: usd(price).replace(/[.][0০]{2}$/, '') }) : t('calc.titleOpen');
  return (
    <LandingSection className="grid gap-8 md:grid-cols-[1fr_1fr] md:gap-24">
      <div>
        <SectionTitle>{title}</SectionTitle>
        <p className="mt-3 max-w-[34em] text-lede text-muted-foreground">{t('calc.lede')}</p>
        <MoneyInput
          className="mt-6 max-w-105"
          label={t('calc.price')}
          value={localDigits(typed)}
          onValue={setTyped}
          under={taka ? <b>{aboutBdt(taka(price))}</b> : null}
          underEnd={taka ? tCommon('rate', { taka: bdt(taka(ONE_DOLLAR)) }) : null}
        />
      </div>
      <dl className="self-start border-t-2 border-foreground" aria-live="polite">
        <Line label={t('calc.buyer')} sum={price} />
        <Line label={t('calc.fee')} sum={-fee} />
        <div className="flex items-baseline justify-between gap-4 py-3.5">
          <dt className="font-semibold">{t('calc.seller')}</dt>
          <dd className={`${MONEY} text-[clamp(2rem,1.6rem+2vw,3.25rem)]`}>
            <span className={cn(TOTAL, 'pb-1')}>{usd(price - fee)}</span>
          </dd>
        </div>
        {taka ? (
          <div className="-mt-0.5 flex justify-end">
            <dt className="sr-only">{t('calc.taka')}</dt>
            <dd className={cn(TAKA, 'text-md')}>{t('calc.toWallet', { taka: aboutBdt(taka(price - fee)) })}</dd>
          </div>
        ) : null}
      </dl>
    </LandingSection>
  );
}
