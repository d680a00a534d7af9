import { useQuery } from '@tanstack/react-query';
import { type Ref, useId, useState } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { DescriptionField } from '@/components/description-field';
import { FieldNote, FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Facts } from '@/components/section';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import type { Side } from '@/entities/deal/rules';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { money } from '@/i18n/en/components';
import { deals } from '@/i18n/en/deals';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { aboutBdt, bdt, count, feeOf, floorRate, latinDigits, localDigits, toPoisha, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { INSPECTION_DAYS, MAX_DAYS, type TermsValues } from './terms-schema';

const isPlain = (days: string): boolean => INSPECTION_DAYS.some((plain) => plain === days);
const digits = (typed: string): string => latinDigits(typed).replace(/\D/g, '').slice(0, 2);

type InspectionProps = {
  /** Days; "" while a custom number is missing. */
  value: string;
  onValue: (days: string) => void;
  onBlur: () => void;
  inputRef: Ref<HTMLInputElement>;
  error: string | undefined;
};

function InspectionField({ value, onValue, onBlur, inputRef, error }: InspectionProps) {
  const t = useTexts(deals);
  const noteId = useId();
  const [own, setOwn] = useState(() => !isPlain(value));
  const choose = (days: string) => {
    setOwn(false);
    onValue(days);
  };
  return (
    <ChoiceGroup legend={t('check.label')}>
      {INSPECTION_DAYS.map((days) => (
        <Choice
          key={days}
          name={`${noteId}-days`}
          checked={!own && value === days}
          onChange={() => choose(days)}
          label={
            <>
              <b className="font-semibold">{t('check.option', { count: Number(days) })}</b>{' '}
              <span className="text-sm text-muted-foreground">{t(`check.${days}`)}</span>
            </>
          }
        />
      ))}
      <div className="flex min-h-12 min-w-0 items-center gap-3">
        <Choice
          name={`${noteId}-days`}
          checked={own}
          onChange={() => {
            setOwn(true);
            onValue('');
          }}
          label={t('check.own')}
        />
        {own ? (
          <Input
            className="w-22"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('check.ownLabel')}
            aria-invalid={error ? true : undefined}
            aria-describedby={noteId}
            ref={inputRef}
            value={localDigits(value)}
            onChange={({ target }) => onValue(digits(target.value))}
            onBlur={onBlur}
          />
        ) : null}
      </div>
      <FieldNote id={noteId} help={t('check.help')} error={error} />
    </ChoiceGroup>
  );
}

type Form = UseFormReturn<TermsValues>;

const DAYS = Array.from({ length: MAX_DAYS }, (_, index) => index + 1);
const DAY_MS = 86_400_000;

function PriceField({ form }: { form: Form }) {
  const t = useTexts(deals);
  const tCommon = useTexts(common);
  const tMoney = useTexts(money);
  const { data: rate } = useQuery(rateQuery);
  const whole = rate ? floorRate(rate.usdToBdt) : null;
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
          under={whole === null ? tMoney('noRate') : aboutBdt(toPoisha(parseCents(field.value) ?? 0, whole))}
          underEnd={whole === null ? null : tCommon('rate', { taka: bdt(toPoisha(100, whole)) })}
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

type DaysProps = {
  form: Form;
  /** Says when the days start, with the date of their end if that were now. */
  help: (when: string) => string;
};

function DaysField({ form, help }: DaysProps) {
  const t = useTexts(deals);
  const now = useNow();
  const days = Number(useWatch({ control: form.control, name: 'days' }));
  return (
    <FormField
      label={t('days.label')}
      help={days > 0 ? help(formatTime(now + days * DAY_MS, 'moment')) : null}
      error={messageOf(t, form.formState.errors.days)}
    >
      {(control) => (
        <NativeSelect {...control} {...form.register('days')}>
          <option value="">{t('days.choose')}</option>
          {DAYS.map((day) => (
            <option key={day} value={day}>
              {t('days.option', { count: day })}
            </option>
          ))}
        </NativeSelect>
      )}
    </FormField>
  );
}

type Props<V extends TermsValues> = Omit<SumsProps, 'form'> & { form: UseFormReturn<V>; daysHelp: DaysProps['help'] };

/** Price, description and days, in a form that may have more fields. */
export function TermsFields<V extends TermsValues>({ form: whole, side, name, daysHelp }: Props<V>) {
  const t = useTexts(deals);
  // These fields do not touch the form's others.
  const form = whole as unknown as Form;
  return (
    <>
      <div className={cn(STACK, 'gap-3')}>
        <PriceField form={form} />
        <Sums form={form} side={side} name={name} />
      </div>
      <Description form={form} />
      <DaysField form={form} help={daysHelp} />
      <Controller
        control={form.control}
        name="check"
        render={({ field, fieldState }) => (
          <InspectionField
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            inputRef={field.ref}
            error={messageOf(t, fieldState.error)}
          />
        )}
      />
    </>
  );
}
