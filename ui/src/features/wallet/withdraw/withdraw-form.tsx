import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ControllerRenderProps, type UseFormReturn, useController } from 'react-hook-form';
import type { PaymentMethod, PayoutNumber } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useMe } from '@/entities/user/queries';
import { cleanPhone, groupedPhone } from '@/entities/wallet/mobile-money';
import { walletQuery } from '@/entities/wallet/queries';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { payout, wallet } from '@/i18n/en/wallet';
import { amountText, parseCents } from '@/lib/amount';
import { isTransient } from '@/lib/errors';
import { bdt, centsFromWire, localDigits, type Poisha, toPoisha, usd } from '@/lib/money';
import { MAX_NUMBERS, payoutNumbersQuery } from '../payout/payout-numbers';
import { lastWithdrawalQuery } from '../queries';
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

type Offered = Pick<PayoutNumber, '_id' | 'name' | 'paymentMethod' | 'phoneNumber'>;

type SavedProps = {
  saved: readonly Offered[];
  field: Field;
  error: string | undefined;
  another: boolean;
  onPick: (number: Offered | null) => void;
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

/** The saved numbers of a method, and the number used last. */
function useOffered(method: PaymentMethod, saved: readonly PayoutNumber[]): readonly Offered[] {
  const t = useTexts(payout);
  const last = useQuery(lastWithdrawalQuery).data?.withdrawals[0];
  const own = saved.filter(({ paymentMethod }) => paymentMethod === method);
  if (last?.paymentMethod !== method || own.some(({ phoneNumber }) => phoneNumber === last.phonenumber)) return own;
  return [...own, { _id: last._id, name: t('usedLast'), paymentMethod: method, phoneNumber: last.phonenumber }];
}

/** The recipient: a saved number, the last one, or another one, which may be saved. */
function NumberField({ form, method, errorOf }: Props) {
  const { field } = useController({ control: form.control, name: 'phonenumber' });
  const { data } = useQuery(payoutNumbersQuery);
  // A field in use stays when the saved numbers arrive.
  const [asked, setAsked] = useState(false);
  const numbers = data?.numbers ?? [];
  const saved = useOffered(method, numbers);
  const known = saved.some(({ phoneNumber }) => phoneNumber === field.value);
  // A draft may start with an unsaved number.
  const another = asked || (field.value !== '' && !known);
  const typing = another || saved.length === 0;
  const pick = (number: Offered | null) => {
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

type AskProps = { values: WithdrawValues; method: PaymentMethod; poisha: Poisha | null; onSend: () => void; onClose: () => void };

/** The question before a withdrawal: to which number, and how much arrives. */
function Ask({ values, method, poisha, onSend, onClose }: AskProps) {
  const t = useTexts(wallet);
  const tKhata = useTexts(khata);
  return (
    <ConfirmDialog
      focusAction
      onClose={onClose}
      title={t('ask.title', { sum: usd(parseCents(values.amount) ?? 0) })}
      text={t('ask.text')}
      action={<Button onClick={onSend}>{t('ask.yes')}</Button>}
    >
      <Facts
        rows={[
          [
            tKhata(`method.${method}`),
            <b key="number" className="font-display text-xl font-semibold whitespace-nowrap lining-nums">
              {localDigits(groupedPhone(values.phonenumber))}
            </b>,
          ],
          [t('ask.fee'), usd(0)],
        ]}
        total={[t('withdraw.youGet'), poisha === null ? t('none') : bdt(poisha)]}
      />
    </ConfirmDialog>
  );
}

/** Amount and phone number. More than the balance cannot be sent. */
export default function WithdrawForm(props: RequestFormProps<WithdrawValues>) {
  const { method, action } = props;
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const { isVerified } = useMe();
  const [tried, setTried] = useState<number | null>(null);
  const [asked, setAsked] = useState<WithdrawValues | null>(null);
  const { form, submit, errorOf, cents, whole, poisha } = useRequestForm({
    ...props,
    ask: setAsked,
    request: withdrawRequest,
    schema: withdrawSchema,
    empty: EMPTY,
    codes: CODES,
  });
  const { balance, least, under, over } = useLimit(cents, tried, action.error);
  const send = (values: WithdrawValues) => {
    setAsked(null);
    setTried(parseCents(values.amount));
    // The form shows a failure.
    action.runAsync({ ...values, method }).catch(() => undefined);
  };
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <MoneyField
        control={form.control}
        name="amount"
        label={t('withdraw.amount')}
        live
        error={refusalOf(t, { over, under, least }) ?? errorOf('amount')}
        under={<RateLine words={t('withdraw.youGet')} poisha={poisha} />}
        underEnd={
          balance === null ? null : (
            <>
              <span>{t('withdraw.available', { sum: usd(balance) })}</span>{' '}
              <Button variant="link" className="-my-3" onClick={() => form.setValue('amount', amountText(balance))}>
                {t('withdraw.all')}
              </Button>
            </>
          )
        }
        help={[
          ...(whole === null ? [] : [tCommon('rate', { taka: bdt(toPoisha(100, whole)) })]),
          ...(least === null ? [] : [t('withdraw.least', { sum: usd(least) })]),
        ].join(' · ')}
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
      {asked ? (
        <Ask values={asked} method={method} poisha={poisha} onSend={() => send(asked)} onClose={() => setAsked(null)} />
      ) : null}
    </form>
  );
}
