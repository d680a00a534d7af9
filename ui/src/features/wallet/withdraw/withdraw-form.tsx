import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { STACK } from '@/components/classes';
import { PendingButton } from '@/components/pending-button';
import { useMe } from '@/entities/user/queries';
import { walletQuery } from '@/entities/wallet/queries';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { parseCents } from '@/lib/amount';
import { isTransient } from '@/lib/errors';
import { bdt, centsFromWire, toPoisha, usd } from '@/lib/money';
import { FormFailure } from '../request/form-failure';
import { MoneyField } from '../request/money-field';
import { RateLine } from '../request/rate-line';
import { type WithdrawValues, withdrawSchema } from '../request/schemas';
import { type RequestFormProps, useRequestForm } from '../request/use-request-form';
import { NumberField } from './number-field';
import { withdrawRequest } from './withdraw-request';

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
