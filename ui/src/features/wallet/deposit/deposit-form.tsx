import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { PaymentMethod } from '@/api/contract';
import { STACK } from '@/components/classes';
import { PendingButton } from '@/components/pending-button';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { keepDraft, readDraft } from '@/lib/draft';
import { messageOf } from '@/lib/forms';
import { bdt, ceilRate, parseCents, toPoisha } from '@/lib/money';
import { notify } from '@/lib/toast';
import { FormFailure, useServerErrors } from '../request/form-errors';
import { MoneyField } from '../request/money-field';
import { RateLine } from '../request/rate-line';
import { type DepositValues, depositSchema, firstBrokenRule } from '../request/schemas';
import { useFirstField } from '../request/use-first-field';
import { PayBox } from './pay-box';
import { TransactionField } from './transaction-field';
import type { DepositAction } from './use-deposit';

const FIELDS = ['amount', 'transactionId'] as const;
const CODES = { duplicate: 'transactionId', rate_changed: 'amount' } as const;
const EMPTY: DepositValues = { amount: '', transactionId: '' };

type Props = { method: PaymentMethod; action: DepositAction; draft: string };

/** Amount, where to send it, and the id that proves it. What is typed survives a failure, a closed dialog and a reload. */
export default function DepositForm({ method, action, draft }: Props) {
  const t = useTexts(wallet);
  const c = useTexts(common);
  const [defaultValues] = useState(() => readDraft(draft, EMPTY));
  const form = useForm<DepositValues>({ resolver: standardSchemaResolver(depositSchema), defaultValues });
  const { errors } = form.formState;
  const [amount, transactionId] = useWatch({ control: form.control, name: FIELDS });
  useEffect(() => keepDraft(draft, { amount, transactionId }, EMPTY), [draft, amount, transactionId]);
  useFirstField(form, 'amount');
  useServerErrors(form, action.error, FIELDS, CODES);
  const { data: rate } = useQuery(rateQuery);
  const cents = parseCents(amount) ?? 0;
  const whole = rate ? ceilRate(rate.usdToBdt) : null;
  const poisha = cents > 0 && whole !== null ? toPoisha(cents, whole) : null;
  const submit = form.handleSubmit(
    (values) => action.run({ ...values, method }),
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
        label={t('deposit.amount')}
        error={messageOf(t, errors.amount)}
        under={<RateLine words={t('deposit.youSend')} poisha={poisha} />}
        underEnd={whole === null ? null : c('rate', { taka: bdt(toPoisha(100, whole)) })}
      />
      <PayBox method={method} poisha={poisha} />
      <TransactionField control={form.control} method={method} error={messageOf(t, errors.transactionId)} />
      <FormFailure error={action.error} codes={Object.keys(CODES)} fallback={t('deposit.failed')} />
      <PendingButton type="submit" variant="seal" pending={action.phase !== 'idle'} pendingText={c('sending')} className="w-full">
        {poisha === null ? t('deposit.sentIt') : t('deposit.sent', { taka: bdt(poisha) })}
      </PendingButton>
      <p className="text-sm text-muted-foreground">{t('deposit.note')}</p>
    </form>
  );
}
