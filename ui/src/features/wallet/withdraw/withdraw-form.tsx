import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Control, useController, useForm, useWatch } from 'react-hook-form';
import type { PaymentMethod } from '@/api/contract';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { useMe } from '@/entities/user/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { cleanPhone } from '@/entities/wallet/mobile-money';
import { walletQuery } from '@/entities/wallet/queries';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { keepDraft, readDraft } from '@/lib/draft';
import { isTransient } from '@/lib/errors';
import { messageOf } from '@/lib/forms';
import { bdt, centsFromWire, floorRate, parseCents, toPoisha, usd } from '@/lib/money';
import { notify } from '@/lib/toast';
import { FormFailure, useServerErrors } from '../request/form-errors';
import { MoneyField } from '../request/money-field';
import { RateLine } from '../request/rate-line';
import { firstBrokenRule, type WithdrawValues, withdrawSchema } from '../request/schemas';
import { useFirstField } from '../request/use-first-field';
import type { WithdrawAction } from './use-withdraw';

const FIELDS = ['amount', 'phonenumber'] as const;
const CODES = { insufficient_balance: 'amount', rate_changed: 'amount' } as const;
const EMPTY: WithdrawValues = { amount: '', phonenumber: '' };

type Props = { method: PaymentMethod; action: WithdrawAction; draft: string };

/**
 * The balance in cents and whether an amount is more than it; unknown balances refuse nothing, the server does. The amount of an attempt whose
 * answer was lost may be out of the balance already: it can be sent again, as the same one.
 */
function useLimit(cents: number, { error }: WithdrawAction) {
  const { data } = useQuery(walletQuery);
  const [tried, setTried] = useState<number | null>(null);
  const balance = data ? centsFromWire(data.wallet) : null;
  const unsure = isTransient(error) && cents === tried;
  const least = data ? centsFromWire(data.minWithdrawal) : null;
  const under = least !== null && cents > 0 && cents < least;
  return { balance, least, under, over: balance !== null && cents > balance && !unsure, setTried };
}

type Bounds = Pick<ReturnType<typeof useLimit>, 'over' | 'under' | 'least'>;

/** Why an amount that is one cannot be sent. */
function refusalOf(t: Translate<typeof wallet>, { over, under, least }: Bounds): string | undefined {
  if (over) return t('rule.balance');
  return under && least !== null ? t('withdraw.tooLittle', { sum: usd(least) }) : undefined;
}

function PhoneField({
  control,
  method,
  error,
}: {
  control: Control<WithdrawValues>;
  method: PaymentMethod;
  error?: string | undefined;
}) {
  const t = useTexts(wallet);
  const k = useTexts(khata);
  const { field } = useController({ control, name: 'phonenumber' });
  return (
    <FormField
      label={t('withdraw.phone')}
      aside={t('withdraw.phoneOf', { method: k(`method.${method}`) })}
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
          onChange={(event) => field.onChange(cleanPhone(event.target.value))}
        />
      )}
    </FormField>
  );
}

/** Amount and phone number. More than the balance cannot be sent. */
export default function WithdrawForm({ method, action, draft }: Props) {
  const t = useTexts(wallet);
  const c = useTexts(common);
  const [defaultValues] = useState(() => readDraft(draft, EMPTY));
  const form = useForm<WithdrawValues>({ resolver: standardSchemaResolver(withdrawSchema), defaultValues });
  const { errors } = form.formState;
  const [amount, phonenumber] = useWatch({ control: form.control, name: FIELDS });
  useEffect(() => keepDraft(draft, { amount, phonenumber }, EMPTY), [draft, amount, phonenumber]);
  useFirstField(form, 'amount');
  useServerErrors(form, action.error, FIELDS, CODES);
  const { data: rate } = useQuery(rateQuery);
  const cents = parseCents(amount) ?? 0;
  const { balance, least, under, over, setTried } = useLimit(cents, action);
  const { isVerified } = useMe();
  const whole = rate ? floorRate(rate.usdToBdt) : null;
  const submit = form.handleSubmit(
    (values) => {
      setTried(parseCents(values.amount));
      action.run({ ...values, method });
    },
    (invalid) => {
      const rule = firstBrokenRule(invalid);
      if (rule) notify.error(t(rule));
    },
  );
  return (
    <form className={STACK} noValidate onSubmit={(event) => void submit(event)}>
      <MoneyField
        control={form.control}
        name="amount"
        label={t('withdraw.amount')}
        live
        error={refusalOf(t, { over, under, least }) ?? messageOf(t, errors.amount)}
        under={<RateLine words={t('withdraw.youGet')} poisha={cents > 0 && whole !== null ? toPoisha(cents, whole) : null} />}
        underEnd={balance === null ? null : t('withdraw.available', { sum: usd(balance) })}
        help={
          <>
            {whole === null ? null : <span>{c('rate', { taka: bdt(toPoisha(100, whole)) })}</span>}{' '}
            {least === null ? null : <span>{t('withdraw.least', { sum: usd(least) })}</span>}
          </>
        }
      />
      <PhoneField control={form.control} method={method} error={messageOf(t, errors.phonenumber)} />
      <FormFailure error={action.error} codes={Object.keys(CODES)} fallback={t('withdraw.failed')} />
      <PendingButton
        type="submit"
        variant="seal"
        disabled={over || under}
        pending={action.phase !== 'idle'}
        pendingText={c(action.phase === 'processing' ? 'processing' : 'sending')}
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
