import { useSearch } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { bdt, toPoisha } from '@/lib/money';
import { FormFailure } from '../request/form-failure';
import { MoneyField } from '../request/money-field';
import { RateLine } from '../request/rate-line';
import { type DepositValues, depositSchema } from '../request/schemas';
import { type RequestFormProps, useRequestForm } from '../request/use-request-form';
import { depositRequest } from './deposit-request';
import { PayBox } from './pay-box';
import { TransactionField } from './transaction-field';

const CODES = { duplicate: 'transactionId', rate_changed: 'amount' } as const;

/** Initial values from the address: the amount missing for a deal, or an earlier report. */
function useInitial(): DepositValues {
  const { amount, trx = '' } = useSearch({ strict: false });
  return { amount: amount === undefined ? '' : amount.toFixed(2), transactionId: trx };
}

export default function DepositForm(props: RequestFormProps<DepositValues>) {
  const { method, action } = props;
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const empty = useInitial();
  const { form, submit, errorOf, whole, poisha } = useRequestForm({
    ...props,
    request: depositRequest,
    schema: depositSchema,
    empty,
    codes: CODES,
  });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <MoneyField
        control={form.control}
        name="amount"
        label={t('deposit.amount')}
        error={errorOf('amount')}
        under={<RateLine words={t('deposit.youSend')} poisha={poisha} />}
        underEnd={whole === null ? null : tCommon('rate', { taka: bdt(toPoisha(100, whole)) })}
      />
      <PayBox method={method} poisha={poisha} />
      <TransactionField control={form.control} method={method} error={errorOf('transactionId')} />
      <FormFailure error={action.error} codes={Object.keys(CODES)} fallback={t('deposit.failed')} />
      <PendingButton type="submit" variant="seal" pending={action.isPending} pendingText={tCommon('sending')} className="w-full">
        {poisha === null ? t('deposit.sentIt') : t('deposit.sent', { taka: bdt(poisha) })}
      </PendingButton>
      <p className="text-sm text-muted-foreground">{t('deposit.note')}</p>
    </form>
  );
}
