import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ControllerRenderProps, type UseFormReturn, useController } from 'react-hook-form';
import type { PaymentMethod, PayoutNumber } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { FormField } from '@/components/form-field';
import { Input } from '@/components/ui/input';
import { cleanPhone, groupedPhone } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { payout } from '@/i18n/en/payout';
import { wallet } from '@/i18n/en/wallet';
import { localDigits } from '@/lib/money';
import { MAX_NUMBERS, payoutNumbersQuery } from '../payout/payout-numbers';
import { MethodMark } from '../request/method-tile';
import type { WithdrawValues } from '../request/schemas';

type Field = ControllerRenderProps<WithdrawValues, 'phonenumber'>;

type PhoneProps = { field: Field; method: PaymentMethod; error: string | undefined; onFocus: () => void };

function PhoneField({ field, method, error, onFocus }: PhoneProps) {
  const t = useTexts(wallet);
  const tKhata = useTexts(khata);
  return (
    <FormField
      label={t('withdraw.phone')}
      aside={t('withdraw.phoneOf', { method: tKhata(`method.${method}`) })}
      help={t('withdraw.phoneHelp')}
      error={error}
    >
      {(described) => (
        <Input
          className="lining-nums tabular-nums"
          inputMode="tel"
          autoComplete="tel-national"
          {...described}
          {...field}
          onFocus={onFocus}
          onChange={(event) => field.onChange(cleanPhone(event.target.value))}
        />
      )}
    </FormField>
  );
}

type SavedProps = {
  saved: readonly PayoutNumber[];
  field: Field;
  error: string | undefined;
  another: boolean;
  onPick: (number: PayoutNumber | null) => void;
};

function Saved({ saved, field, error, another, onPick }: SavedProps) {
  const t = useTexts(payout);
  return (
    <ChoiceGroup legend={t('to')} error={another ? undefined : error}>
      {saved.map((number, index) => (
        <Choice
          key={number._id}
          // Without a choice, the group takes the field's focus.
          {...(index === 0 && !another ? { ref: field.ref } : {})}
          name="payout"
          className="items-center"
          checked={!another && field.value === number.phoneNumber}
          onChange={() => onPick(number)}
          label={
            <span className="flex items-center gap-3 wrap-anywhere">
              <MethodMark method={number.paymentMethod} />
              <span>
                <b className="font-semibold">{number.name}</b>{' '}
                <small className="block text-sm text-muted-foreground lining-nums tabular-nums">
                  {localDigits(groupedPhone(number.phoneNumber))}
                </small>
              </span>
            </span>
          }
        />
      ))}
      <Choice name="payout" checked={another} onChange={() => onPick(null)} label={t('another')} />
    </ChoiceGroup>
  );
}

type SaveAsProps = { form: UseFormReturn<WithdrawValues>; error: string | undefined; full: boolean };

function SaveAs({ form, error, full }: SaveAsProps) {
  const t = useTexts(payout);
  if (full) return <p className="text-sm text-muted-foreground">{t('full')}</p>;
  return (
    <FormField label={t('saveAs')} aside={t('optional')} help={t('saveHelp')} error={error}>
      {(described) => <Input autoComplete="off" {...described} {...form.register('saveAs')} />}
    </FormField>
  );
}

type Props = {
  form: UseFormReturn<WithdrawValues>;
  method: PaymentMethod;
  errorOf: (name: 'phonenumber' | 'saveAs') => string | undefined;
};

/** The recipient: a saved number, or another one, which may be saved. */
export function NumberField({ form, method, errorOf }: Props) {
  const { field } = useController({ control: form.control, name: 'phonenumber' });
  const { data } = useQuery(payoutNumbersQuery);
  // A field in use stays when the saved numbers arrive.
  const [asked, setAsked] = useState(false);
  const numbers = data?.numbers ?? [];
  const saved = numbers.filter(({ paymentMethod }) => paymentMethod === method);
  const known = saved.some(({ phoneNumber }) => phoneNumber === field.value);
  // A draft may start with an unsaved number.
  const another = asked || (field.value !== '' && !known);
  const typing = another || saved.length === 0;
  const pick = (number: PayoutNumber | null) => {
    setAsked(number === null);
    field.onChange(number?.phoneNumber ?? '');
    if (number) form.setValue('saveAs', '');
  };
  return (
    <>
      {saved.length > 0 ? (
        <Saved saved={saved} field={field} error={errorOf('phonenumber')} another={another} onPick={pick} />
      ) : null}
      {typing ? <PhoneField field={field} method={method} error={errorOf('phonenumber')} onFocus={() => setAsked(true)} /> : null}
      {typing && data && !known ? <SaveAs form={form} error={errorOf('saveAs')} full={numbers.length >= MAX_NUMBERS} /> : null}
    </>
  );
}
