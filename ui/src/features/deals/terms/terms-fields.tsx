import type { ComponentProps } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { STACK } from '@/components/classes';
import { DescriptionField } from '@/components/description-field';
import { MoneyInput } from '@/components/money-input';
import { Facts } from '@/components/section';
import type { Side } from '@/entities/deal/rules';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { money } from '@/i18n/en/components';
import { deals } from '@/i18n/en/deals';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { aboutBdt, bdt, count, feeOf, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { DayChips } from './day-chips';
import { DELIVERY_DAYS, hasDays, INSPECTION_DAYS, type TermsValues } from './terms-schema';

type Form = UseFormReturn<TermsValues>;

const DAY_MS = 86_400_000;

function PriceField({ form, side }: Pick<SumsProps, 'form' | 'side'>) {
  const t = useTexts(deals);
  const tCommon = useTexts(common);
  const tMoney = useTexts(money);
  const taka = useTaka(side === 'buyer' ? 'pays' : 'gets');
  return (
    <Controller
      control={form.control}
      name="price"
      render={({ field, fieldState }) => (
        <MoneyInput
          label={t('price.label')}
          value={field.value}
          onValue={field.onChange}
          onBlur={field.onBlur}
          ref={field.ref}
          placeholder={count(0)}
          under={taka ? aboutBdt(taka(parseCents(field.value) ?? 0)) : tMoney('noRate')}
          underEnd={taka ? tCommon('rate', { taka: bdt(taka(100)) }) : null}
          error={messageOf(t, fieldState.error)}
        />
      )}
    />
  );
}

type SumsProps = {
  form: Form;
  side: Side | '';
  name: string | undefined;
};

function Sums({ form, side, name }: SumsProps) {
  const t = useTexts(deals);
  const cents = parseCents(useWatch({ control: form.control, name: 'price' })) ?? 0;
  if (cents === 0) return null;
  const fee = feeOf(cents);
  const pays = side === 'buyer' ? t('money.youPay') : side && name ? t('money.pays', { name }) : t('sum.buyerPays');
  const gets = side === 'seller' ? t('money.youGet') : side && name ? t('money.gets', { name }) : t('sum.sellerGets');
  return (
    <div className="px-3.5">
      <Facts
        rows={[
          [pays, usd(cents)],
          [t('money.fee'), usd(-fee)],
        ]}
        total={[gets, usd(cents - fee)]}
      />
    </div>
  );
}

function Description({ form }: { form: Form }) {
  const t = useTexts(deals);
  const text = useWatch({ control: form.control, name: 'description' });
  return (
    <DescriptionField
      label={t('description.label')}
      help={t('description.help')}
      error={messageOf(t, form.formState.errors.description)}
      rows={4}
      text={text}
      {...form.register('description')}
    />
  );
}

type DaysProps<V extends TermsValues> = {
  form: UseFormReturn<V>;
  /** Says when the days start, with the date of their end if that were now. */
  help: (when: string) => string;
};

type ChipsProps = Omit<ComponentProps<typeof DayChips>, 'value' | 'onValue' | 'onBlur' | 'inputRef' | 'help' | 'error'> & {
  form: Form;
  name: 'days' | 'check';
  help: (days: string) => string | null;
};

function Chips({ form, name, help, ...chips }: ChipsProps) {
  const t = useTexts(deals);
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref }, fieldState }) => (
        <DayChips
          {...chips}
          {...{ value, onBlur }}
          onValue={onChange}
          inputRef={ref}
          help={help(value)}
          error={messageOf(t, fieldState.error)}
        />
      )}
    />
  );
}

export function DaysField<V extends TermsValues>({ form, help }: DaysProps<V>) {
  const t = useTexts(deals);
  const now = useNow();
  const due = (days: string) => (hasDays(days) ? help(formatTime(now + Number(days) * DAY_MS, 'moment')) : null);
  return <Chips form={form as unknown as Form} name="days" legend={t('days.label')} usual={DELIVERY_DAYS} help={due} />;
}

type Props<V extends TermsValues> = Omit<SumsProps, 'form'> & { form: UseFormReturn<V>; daysHelp: DaysProps<V>['help'] };

/** Price, description and days, in a form that may have more fields. */
export function TermsFields<V extends TermsValues>({ form: whole, side, name, daysHelp }: Props<V>) {
  const t = useTexts(deals);
  // These fields do not touch the form's others.
  const form = whole as unknown as Form;
  return (
    <>
      <div className={cn(STACK, 'gap-3')}>
        <PriceField form={form} side={side} />
        <Sums form={form} side={side} name={name} />
      </div>
      <Description form={form} />
      <DaysField form={form} help={daysHelp} />
      <Chips form={form} name="check" legend={t('check.label')} usual={INSPECTION_DAYS} help={() => t('check.help')} />
    </>
  );
}
