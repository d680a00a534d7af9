import type { UseFormReturn } from 'react-hook-form';
import { HANGING, TAKA } from '@/components/classes';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { titleOf } from '@/entities/deal/title';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { parseCents } from '@/lib/amount';
import { aboutBdt, feeOf, usd } from '@/lib/money';
import { DaysField } from '../terms/terms-fields';
import type { DealValues } from './create-schema';

/** A deal that is complete: what, with whom, who pays how much. Only the days are asked. */
export function DealSummary({ form, onChange }: { form: UseFormReturn<DealValues>; onChange: () => void }) {
  const t = useTexts(deals);
  const { other, role, price, description, check } = form.getValues();
  const taka = useTaka(role === 'buyer' ? 'pays' : 'gets');
  const name = other?.username ?? '';
  const cents = parseCents(price) ?? 0;
  const fee = feeOf(cents);
  const pays = role === 'buyer' ? t('money.youPay') : t('money.pays', { name });
  const gets = role === 'seller' ? t('money.youGet') : t('money.gets', { name });
  return (
    <>
      <section className={HANGING}>
        <div className="flex items-start justify-between gap-4">
          <h3 className="min-w-0 font-display text-display-xs">{titleOf(description)}</h3>
          <Button variant="link" className="-my-2 flex-none" onClick={onChange}>
            {t('change')}
          </Button>
        </div>
        <p className="mb-2 text-sm text-muted-foreground">{t(role === 'seller' ? 'summary.sell' : 'summary.buy', { name })}</p>
        <Facts
          rows={[
            [
              pays,
              <>
                {taka ? <span className={TAKA}>{aboutBdt(taka(cents))}</span> : null}{' '}
                <b className="font-semibold">{usd(cents)}</b>
              </>,
            ],
            [t('money.fee'), usd(-fee)],
            [gets, usd(cents - fee)],
            [t('check.label'), t('check.option', { count: Number(check) })],
          ]}
        />
      </section>
      <DaysField form={form} help={(when) => t('days.help', { when })} />
    </>
  );
}
