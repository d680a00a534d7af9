import { useState } from 'react';
import { MoneyInput } from '@/components/ui/money-input';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { landing } from '@/i18n/en/landing';
import { aboutBdt, bdt, feeOf, localDigits, parseCents, usd } from '@/lib/money';
import { useTaka } from '@/lib/use-taka';
import { EXAMPLE } from './example';

const ONE_DOLLAR = 100;

/** The sum of a deal for any price, at today's rate. */
export function Calculator() {
  const t = useTexts(landing);
  const c = useTexts(common);
  const taka = useTaka();
  const [typed, setTyped] = useState('480.00');
  const price = parseCents(typed) ?? 0;
  const fee = feeOf(price);
  const title = price === EXAMPLE.price ? t('calc.title', { price: usd(price).replace(/[.][0০]{2}$/, '') }) : t('calc.titleOpen');
  return (
    <section className="wrap lsec calc">
      <div>
        <h2 className="d40">{title}</h2>
        <p className="lede m">{t('calc.lede')}</p>
        <MoneyInput
          className="calc__in"
          label={t('calc.price')}
          value={localDigits(typed)}
          onValue={setTyped}
          under={taka ? <b>{aboutBdt(taka(price))}</b> : null}
          underEnd={taka ? c('rate', { taka: bdt(taka(ONE_DOLLAR)) }) : null}
        />
      </div>
      <dl className="sum" aria-live="polite">
        <div>
          <dt>{t('calc.buyer')}</dt>
          <dd className="money">{usd(price)}</dd>
        </div>
        <div>
          <dt>{t('calc.fee')}</dt>
          <dd className="money">{usd(-fee)}</dd>
        </div>
        <div className="sum__t">
          <dt>{t('calc.seller')}</dt>
          <dd className="money">
            <span className="double">{usd(price - fee)}</span>
          </dd>
        </div>
        {taka ? (
          <div className="sum__b">
            <dt className="sr">{t('calc.taka')}</dt>
            <dd className="bdt">{t('calc.toWallet', { taka: aboutBdt(taka(price - fee)) })}</dd>
          </div>
        ) : null}
      </dl>
    </section>
  );
}
