import { useId, useState } from 'react';
import { Controller, type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { STACK } from '@/components/classes';
import { DescriptionField } from '@/components/description-field';
import { FieldNote } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Facts } from '@/components/section';
import { FieldLegend, FieldSet } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { toggleVariants } from '@/components/ui/toggle';
import type { Side } from '@/entities/deal/rules';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { money } from '@/i18n/en/components';
import { deals } from '@/i18n/en/deals';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { aboutBdt, bdt, count, feeOf, latinDigits, localDigits, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
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

const CHIP = cn(
  toggleVariants(),
  'relative min-w-11 cursor-pointer justify-center px-3 has-checked:border-primary has-checked:bg-primary has-checked:font-semibold',
  'has-checked:text-primary-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
);

const digits = (typed: string): string => latinDigits(typed).replace(/\D/g, '').slice(0, 2);

type ChipsProps = {
  form: Form;
  name: 'days' | 'check';
  legend: string;
  /** Usual numbers of days. */
  usual: readonly string[];
  help: (days: string) => string | null;
};

/** A number of days: one of the usual, or of one's own, "" while that is missing. */
function DayChips({ form, name, legend, usual, help }: ChipsProps) {
  const t = useTexts(deals);
  const id = useId();
  const { field, fieldState } = useController({ control: form.control, name });
  const { value, onChange, onBlur, ref } = field;
  const error = messageOf(t, fieldState.error);
  const [own, setOwn] = useState(false);
  const other = own || !usual.includes(value);
  const choose = (days: string) => {
    setOwn(days === '');
    onChange(days);
  };
  const radio = (days: string, checked: boolean) => (
    <input type="radio" name={id} className="sr-only" checked={checked} onChange={() => choose(days)} />
  );
  return (
    <FieldSet>
      <FieldLegend>
        {legend} <small className="text-sm font-normal text-muted-foreground">{t('days.unit')}</small>
      </FieldLegend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {usual.map((days) => (
          <label key={days} className={CHIP}>
            {radio(days, !other && value === days)}
            {count(Number(days))} <span className="sr-only">{t('days.unit')}</span>
          </label>
        ))}
        <label className={CHIP}>
          {radio('', other)}
          {t('days.own')}
        </label>
        {other ? (
          <Input
            className="w-16"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('days.ownLabel', { what: legend })}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
            ref={ref}
            value={localDigits(value)}
            onChange={({ target }) => onChange(digits(target.value))}
            onBlur={onBlur}
          />
        ) : null}
      </div>
      <FieldNote id={`${id}-note`} help={help(value)} error={error} />
    </FieldSet>
  );
}

export function DaysField<V extends TermsValues>({ form, help }: DaysProps<V>) {
  const t = useTexts(deals);
  const now = useNow();
  const due = (days: string) => (hasDays(days) ? help(formatTime(now + Number(days) * DAY_MS, 'moment')) : null);
  return <DayChips form={form as unknown as Form} name="days" legend={t('days.label')} usual={DELIVERY_DAYS} help={due} />;
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
      <DayChips form={form} name="check" legend={t('check.label')} usual={INSPECTION_DAYS} help={() => t('check.help')} />
    </>
  );
}
