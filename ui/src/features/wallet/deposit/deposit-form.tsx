import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ClipboardPaste } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { PaymentMethod } from '@/api/contract';
import { CODE, STACK } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { InputGroup, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { Skeleton } from '@/components/ui/skeleton';
import { receiversQuery, useAutomatic } from '@/entities/wallet/deposits';
import { groupedPhone, plainTaka, transactionIdIn, transactionIdOf } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { bdt, localDigits, type Poisha, toPoisha } from '@/lib/money';
import { notify } from '@/lib/toast';
import { METHOD, MethodFace } from '../request/method-tile';
import { FormFailure, MoneyField, RateLine, type RequestFormProps, useRequestForm } from '../request/request-form';
import { depositRequest } from '../request/requests';
import { type DepositValues, depositSchema } from '../request/schemas';

type CopiedProps = { shown: string; value: string; label: string; done: string };

function Copied({ shown, ...copied }: CopiedProps) {
  const t = useTexts(wallet);
  return (
    <>
      <b className="font-display text-xl leading-[1.2] font-semibold tracking-[-0.01em] whitespace-nowrap max-[400px]:text-lg">
        {shown}
      </b>
      <CopyButton {...copied}>{t('copy')}</CopyButton>
    </>
  );
}

function NumberRow({ method }: { method: PaymentMethod }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const receivers = useQuery(receiversQuery);
  if (receivers.isLoadingError) {
    return (
      <p className="col-span-full text-sm text-destructive">
        {t('deposit.numberFailed')}{' '}
        <Button variant="link" onClick={() => void receivers.refetch()}>
          {tCommon('retry')}
        </Button>
      </p>
    );
  }
  if (!receivers.data) return <Skeleton className="col-span-full h-11" />;
  const number = receivers.data.find((receiver) => receiver.paymentMethod === method)?.number;
  if (!number) return <p className="col-span-full text-sm text-destructive">{t('deposit.noNumber')}</p>;
  return (
    <>
      <span className="text-muted-foreground">{t('number')}</span>
      <Copied shown={localDigits(groupedPhone(number))} value={number} label={t('copyNumber')} done={t('numberCopied')} />
    </>
  );
}

/** The receiver and the exact amount, to copy. `poisha` is null without an amount or a rate. */
function PayBox({ method, poisha }: { method: PaymentMethod; poisha: Poisha | null }) {
  const t = useTexts(wallet);
  return (
    <div className="border border-border-strong">
      <div className="border-b">
        <span className={cn(METHOD, 'min-h-15')}>
          <MethodFace method={method}>{t('deposit.sendTo')}</MethodFace>
        </span>
      </div>
      <div className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3.5 gap-y-1 px-3.5 py-2.5 max-[400px]:gap-x-2.5 max-[400px]:px-3">
        <NumberRow method={method} />
        <span className="text-muted-foreground">{t('deposit.exactly')}</span>
        {poisha === null ? (
          <span className="col-[2/-1] flex min-h-11 items-center text-sm text-muted-foreground">{t('deposit.exactlyFirst')}</span>
        ) : (
          <Copied shown={bdt(poisha)} value={plainTaka(poisha)} label={t('copyTaka')} done={t('takaCopied')} />
        )}
      </div>
    </div>
  );
}

type Props = { control: Control<DepositValues>; method: PaymentMethod; error?: string | undefined };

/** The transaction id, typed or pasted; from a whole SMS only the id is taken. */
function TransactionField({ control, method, error }: Props) {
  const t = useTexts(wallet);
  const { field } = useController({ control, name: 'transactionId' });
  const usual = t(`deposit.usual.${method}`);
  const length = transactionIdOf(field.value).length;
  const pasteText = (text: string) => field.onChange(transactionIdIn(text));
  const paste = async () => {
    try {
      pasteText(await navigator.clipboard.readText());
    } catch {
      notify.error(t('pasteFailed'));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    if (transactionIdIn(text) === text.trim()) return;
    event.preventDefault();
    pasteText(text);
  };
  return (
    <FormField
      label={t('transactionId')}
      aside={t(`deposit.fromSms.${method}`)}
      help={length === 0 ? usual : t('deposit.length', { count: length, usual })}
      error={error}
    >
      {(described) => (
        <InputGroup>
          <InputGroupInput
            className={cn(CODE, 'uppercase')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...described}
            {...field}
            onPaste={onPaste}
          />
          <InputGroupButton onClick={() => void paste()}>
            <ClipboardPaste className="size-4" aria-hidden="true" />
            {t('paste')}
          </InputGroupButton>
        </InputGroup>
      )}
    </FormField>
  );
}

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
  const tKhata = useTexts(khata);
  const automatic = useAutomatic()(method);
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
      <PendingButton type="submit" variant="seal" pending={action.isPending} className="w-full">
        {poisha === null ? t('deposit.sentIt') : t('deposit.sent', { taka: bdt(poisha) })}
      </PendingButton>
      <p className="text-sm text-muted-foreground">
        {automatic ? t('deposit.automatic', { method: tKhata(`method.${method}`) }) : t('deposit.note')}
      </p>
    </form>
  );
}
