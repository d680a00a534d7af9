import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ControllerRenderProps, type UseFormReturn, useController } from 'react-hook-form';
import type { PaymentMethod, PayoutNumber } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { useMe } from '@/entities/user/queries';
import { cleanPhone, groupedPhone } from '@/entities/wallet/mobile-money';
import { walletQuery } from '@/entities/wallet/queries';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { payout, wallet } from '@/i18n/en/wallet';
import { parseCents } from '@/lib/amount';
import { isTransient } from '@/lib/errors';
import { bdt, centsFromWire, localDigits, toPoisha, usd } from '@/lib/money';
import { MAX_NUMBERS, payoutNumbersQuery } from '../payout/payout-numbers';
import { MethodMark } from '../request/method-tile';
import { FormFailure, MoneyField, RateLine, type RequestFormProps, useRequestForm } from '../request/request-form';
import { withdrawRequest } from '../request/requests';
import { type WithdrawValues, withdrawSchema } from '../request/schemas';

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
function NumberField({ form, method, errorOf }: Props) {
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

const CODES = { insufficient_balance: 'amount', rate_changed: 'amount' } as const;
const EMPTY: WithdrawValues = { amount: '', phonenumber: '', saveAs: '' };

/**
 * The balance in cents, and whether the amount exceeds it; an unknown balance refuses nothing. An
 * attempt whose response was lost may have reduced the balance already, so its amount can be sent
 * again.
 */
function useLimit(cents: number, tried: number | null, error: Error | null) {
  const { data } = useQuery(walletQuery);
  const balance = data ? centsFromWire(data.wallet) : null;
  const unsure = isTransient(error) && cents === tried;
  const least = data ? centsFromWire(data.minWithdrawal) : null;
  const under = least !== null && cents > 0 && cents < least;
  return { balance, least, under, over: balance !== null && cents > balance && !unsure };
}

type Bounds = Pick<ReturnType<typeof useLimit>, 'over' | 'under' | 'least'>;

function refusalOf(t: Translate<typeof wallet>, { over, under, least }: Bounds): string | undefined {
  if (over) return t('rule.balance');
  return under && least !== null ? t('withdraw.tooLittle', { sum: usd(least) }) : undefined;
}

/** Amount and phone number. More than the balance cannot be sent. */
export default function WithdrawForm(props: RequestFormProps<WithdrawValues>) {
  const { method, action } = props;
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const { isVerified } = useMe();
  const [tried, setTried] = useState<number | null>(null);
  const { form, submit, errorOf, cents, whole, poisha } = useRequestForm({
    ...props,
    action: {
      ...action,
      runAsync: (values, options) => {
        setTried(parseCents(values.amount));
        return action.runAsync(values, options);
      },
    },
    request: withdrawRequest,
    schema: withdrawSchema,
    empty: EMPTY,
    codes: CODES,
  });
  const { balance, least, under, over } = useLimit(cents, tried, action.error);
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <MoneyField
        control={form.control}
        name="amount"
        label={t('withdraw.amount')}
        live
        error={refusalOf(t, { over, under, least }) ?? errorOf('amount')}
        under={<RateLine words={t('withdraw.youGet')} poisha={poisha} />}
        underEnd={balance === null ? null : t('withdraw.available', { sum: usd(balance) })}
        help={
          <>
            {whole === null ? null : <span>{tCommon('rate', { taka: bdt(toPoisha(100, whole)) })}</span>}{' '}
            {least === null ? null : <span>{t('withdraw.least', { sum: usd(least) })}</span>}
          </>
        }
      />
      <NumberField form={form} method={method} errorOf={errorOf} />
      <FormFailure error={action.error} codes={Object.keys(CODES)} fallback={t('withdraw.failed')} />
      <PendingButton
        type="submit"
        variant="seal"
        disabled={over || under}
        pending={action.isPending}
        pendingText={tCommon(action.phase === 'processing' ? 'processing' : 'sending')}
        className="w-full"
      >
        {cents > 0 ? t('withdraw.submit', { sum: usd(cents) }) : t('withdraw.submitPlain')}
      </PendingButton>
      <p className="text-sm text-muted-foreground">{t('withdraw.note')}</p>
      <p className="text-sm text-muted-foreground">
        {t('withdraw.new')} {isVerified ? null : t('withdraw.verify')}
      </p>
    </form>
  );
}
