import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { ClipboardPaste } from 'lucide-react';
import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { PaymentMethod, Receiver } from '@/api/contract';
import { CODE, STACK } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { InputGroup, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { Skeleton } from '@/components/ui/skeleton';
import { useAutomatic } from '@/entities/wallet/deposits';
import { groupedPhone, plainTaka, transactionIdIn, transactionIdOf } from '@/entities/wallet/mobile-money';
import { receiversQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { dropDraft, readDraft } from '@/lib/draft';
import { isApiError } from '@/lib/errors';
import { bdt, centsFromWire, localDigits, type Poisha, toPoisha } from '@/lib/money';
import { serverNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { notify } from '@/lib/toast';
import { paymentCodeQuery, recentDepositsQuery } from '../queries';
import { FormFailure, MoneyField, RateLine, type RequestFormProps, useRequestForm } from '../request/request-form';
import { depositRequest } from '../request/requests';
import { type DepositValues, depositSchema } from '../request/schemas';
import { Checkout } from './checkout';

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

/** The number that was shown first: another may have more room once the user has paid. */
function useReceiver(method: PaymentMethod, error: Error | null): Receiver | undefined {
  const { data, isFetching } = useQuery(receiversQuery);
  const [kept, keep] = useState<Receiver>();
  if (isFetching) return kept;
  const now = data?.find(({ paymentMethod }) => paymentMethod === method);
  const gone = isApiError(error) && error.reason === 'receiver_unknown' && kept?.number !== now?.number;
  if (now?.number && (!kept || gone)) keep(now);
  return kept ?? now;
}

function NumberRow({ receiver }: { receiver: Receiver | undefined }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const receivers = useQuery(receiversQuery);
  if (!receiver && receivers.isLoadingError) {
    return (
      <p className="col-span-full text-sm text-destructive">
        {t('deposit.numberFailed')}{' '}
        <Button variant="link" onClick={() => void receivers.refetch()}>
          {tCommon('retry')}
        </Button>
      </p>
    );
  }
  if (!receiver) return <Skeleton className="col-span-full h-11" />;
  const number = receiver.number ?? '';
  return (
    <>
      <span className="text-muted-foreground">{t('number')}</span>
      <Copied shown={localDigits(groupedPhone(number))} value={number} label={t('copyNumber')} done={t('numberCopied')} />
    </>
  );
}

/** The user's code, with which the payment needs no report. If it fails, the ID is enough. */
function ReferenceRow() {
  const t = useTexts(wallet);
  const { search, state } = useLocation();
  const { data, isError } = useQuery(paymentCodeQuery(search.deal, state.fromDeal?.terms));
  if (isError) return null;
  return (
    <>
      <span className="text-muted-foreground">{t('reference')}</span>
      {data ? (
        <Copied shown={data.code} value={data.code} label={t('copyReference')} done={t('referenceCopied')} />
      ) : (
        <Skeleton className="col-[2/-1] h-11" />
      )}
    </>
  );
}

type PayBoxProps = { receiver: Receiver | undefined; automatic: boolean; checkout: boolean; poisha: Poisha | null };

/** The receiver and the exact amount, to copy. `poisha` is null without an amount or a rate. */
function PayBox({ receiver, automatic, checkout, poisha }: PayBoxProps) {
  const t = useTexts(wallet);
  const room = receiver?.room == null ? null : centsFromWire(receiver.room);
  return (
    <div className="border border-border-strong">
      <p className="border-b px-3.5 py-2.5 font-semibold max-[400px]:px-3">{t(checkout ? 'checkout.or' : 'deposit.sendTo')}</p>
      <div
        className={cn(
          'grid grid-cols-[auto_1fr_auto] items-center gap-x-3.5 gap-y-1 px-3.5 py-2.5 max-[400px]:gap-x-2.5 max-[400px]:px-3',
          'max-[340px]:grid-cols-[1fr_auto] max-[340px]:[&>span]:col-span-full',
        )}
      >
        <NumberRow receiver={receiver} />
        <span className="text-muted-foreground">{t('deposit.exactly')}</span>
        {poisha === null ? (
          <span className="col-[2/-1] flex min-h-11 items-center text-sm text-muted-foreground">{t('deposit.exactlyFirst')}</span>
        ) : (
          <Copied shown={bdt(poisha)} value={plainTaka(poisha)} label={t('copyTaka')} done={t('takaCopied')} />
        )}
        {room !== null && poisha !== null && poisha > room ? (
          <p className="col-span-full text-sm text-destructive">{t('deposit.room', { taka: bdt(room) })}</p>
        ) : null}
        {automatic ? <ReferenceRow /> : null}
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

/**
 * Leaves the form when a payment with the reference has come, which needs no report: to the deal
 * that it is for, or to the deposit. A phone may have dropped the page since it was opened from the
 * deal.
 */
function useArrival({ isPending, leave }: RequestFormProps<DepositValues>['action'], draft: string) {
  const router = useRouter();
  const { search, state } = useLocation();
  const [opened] = useState(() => state.fromDeal?.at ?? serverNow());
  const latest = useQuery(recentDepositsQuery).data?.deposits[0];
  // The clock is some seconds off, so a deposit made just before the form was opened is known.
  const [known] = useState(state.fromDeal ? undefined : latest?._id);
  const isNew = latest !== undefined && latest._id !== known && Date.parse(latest.createdAt) > opened;
  const arrived = isNew && !isPending ? latest._id : null;
  const onArrived = useEffectEvent((depositId: string) => {
    dropDraft(draft);
    if (search.deal) leave();
    else void router.navigate({ to: '/balance/deposits/$depositId', params: { depositId }, replace: true });
  });
  useEffect(() => {
    if (arrived !== null) onArrived(arrived);
  }, [arrived]);
}

export default function DepositForm(props: RequestFormProps<DepositValues>) {
  const { method, action, draft } = props;
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const tKhata = useTexts(khata);
  const automatic = useAutomatic()(method);
  const empty = useInitial();
  useArrival(action, draft);
  const receiver = useReceiver(method, action.error);
  const checkout = useQuery(receiversQuery).data?.some((of) => of.paymentMethod === method && of.checkout) ?? false;
  // The money of a form that was begun may be on its way.
  const [begun] = useState(() => readDraft(draft, { amount: '' }).amount !== '');
  const { form, submit, errorOf, cents, whole, poisha } = useRequestForm({
    ...props,
    request: depositRequest,
    schema: depositSchema,
    empty,
    codes: CODES,
    receiver: receiver?.number,
  });
  const until = receiver?.fullUntil;
  const full = until ? (
    <Note kind="wait">{t('deposit.full', { method: tKhata(`method.${method}`), when: formatTime(until, 'moment') })}</Note>
  ) : null;
  const byHand = !full || begun;
  if (!byHand && !checkout) return full;
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
      {checkout ? (
        <Checkout cents={cents} poisha={poisha} onIncomplete={() => void form.trigger('amount', { shouldFocus: true })} />
      ) : null}
      {full ?? <PayBox receiver={receiver} automatic={automatic} checkout={checkout} poisha={poisha} />}
      {byHand ? (
        <>
          {automatic && !full ? <p>{t('deposit.referred')}</p> : null}
          <TransactionField control={form.control} method={method} error={errorOf('transactionId')} />
          <FormFailure error={action.error} codes={Object.keys(CODES)} fallback={t('deposit.failed')} />
          <PendingButton type="submit" variant={checkout ? 'outline' : 'seal'} pending={action.isPending} className="w-full">
            {poisha === null ? t('deposit.sentIt') : t('deposit.sent', { taka: bdt(poisha) })}
          </PendingButton>
          <p className="text-sm text-muted-foreground">
            {automatic ? t('deposit.automatic', { method: tKhata(`method.${method}`) }) : t('deposit.note')}
          </p>
        </>
      ) : null}
    </form>
  );
}
