import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import {
  type Control,
  Controller,
  type FieldPathByValue,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import type { PaymentMethod } from '@/api/contract';
import { MoneyInput } from '@/components/money-input';
import { Note } from '@/components/note';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { LimitsLink } from '@/entities/wallet/limits';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { parseCents } from '@/lib/amount';
import { textDraft } from '@/lib/draft';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { bdt, type Poisha, toPoisha } from '@/lib/money';
import { firstBrokenRule } from './schemas';
import type { MoneyRequest, MoneyRequestAction, RequestValues } from './use-money-request';

/** Not on a touch screen, where the keyboard would cover the form. */
function useFirstField<V extends FieldValues>({ setFocus }: UseFormReturn<V>, field: Path<V>): void {
  useEffect(() => {
    if (!(navigator.maxTouchPoints > 0)) setFocus(field);
  }, [setFocus, field]);
}

export type RequestFormProps<V extends RequestValues> = {
  method: PaymentMethod;
  action: MoneyRequestAction<V>;
  draft: string;
};

type Options<V extends RequestValues> = RequestFormProps<V> & {
  request: Pick<MoneyRequest<V>, 'round'>;
  schema: z.ZodMiniType<V, V>;
  empty: V;
  codes: Readonly<Record<string, Path<V>>>;
  /** The number that is shown. */
  receiver?: string | null | undefined;
  /** Asks before anything is sent; without it, a valid form is. */
  ask?: (values: V) => void;
};

/** The form of a deposit or a withdrawal, with the amount in taka. */
export function useRequestForm<V extends RequestValues>({
  method,
  action,
  draft,
  request,
  schema,
  empty,
  codes,
  receiver,
  ask,
}: Options<V>) {
  const t = useTexts(wallet);
  const { form, submit, errorOf } = useDraftForm<V>({
    schema,
    t,
    empty,
    server: { codes },
    draft: textDraft(draft),
    toast: (broken) => {
      const rule = firstBrokenRule(broken as Parameters<typeof firstBrokenRule>[0]);
      return rule ? t(rule) : '';
    },
    mutation: action,
    onSubmit: (values) => {
      if (!ask) return action.runAsync({ ...values, method, ...(receiver && { receiver }) });
      ask(values);
      return undefined;
    },
  });
  const name = 'amount' as Path<V>;
  useFirstField(form, name);
  const { data: rate } = useQuery(rateQuery);
  const cents = parseCents(useWatch({ control: form.control, name })) ?? 0;
  const whole = rate ? request.round(rate.usdToBdt) : null;
  const poisha = cents > 0 && whole !== null ? toPoisha(cents, whole) : null;
  return { form, submit, errorOf, cents, whole, poisha };
}

export function FormFailure({ error, codes, fallback }: { error: Error | null; codes: readonly string[]; fallback: string }) {
  const shown =
    error instanceof ApiError && error.status !== 401 && Object.keys(error.fields).length === 0 && !codes.includes(error.code);
  return (
    <div role="alert" className="empty:absolute">
      {shown ? (
        <Note kind="bad">
          <p className="font-semibold">{errorText(error, fallback)}</p>
          <p>
            {errorAdvice(error)}
            <LimitsLink error={error} />
          </p>
        </Note>
      ) : null}
    </div>
  );
}

type Props<V extends FieldValues> = {
  control: Control<V>;
  name: FieldPathByValue<V, string>;
  label: ReactNode;
  under?: ReactNode;
  underEnd?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  live?: boolean;
};

export function MoneyField<V extends FieldValues>({ control, name, ...props }: Props<V>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <MoneyInput {...props} ref={field.ref} value={field.value} onValue={field.onChange} onBlur={field.onBlur} />
      )}
    />
  );
}

/** The amount in taka, or that there is no rate, with Retry. */
export function RateLine({ words, poisha }: { words: string; poisha: Poisha | null }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const rate = useQuery(rateQuery);
  if (rate.isLoadingError) {
    return (
      <>
        <span className="text-destructive">{t('rateFailed')}</span>{' '}
        <button type="button" className="font-semibold underline underline-offset-[0.22em]" onClick={() => void rate.refetch()}>
          {tCommon('retry')}
        </button>
      </>
    );
  }
  return (
    <>
      {words} <b>{rate.data ? bdt(poisha ?? 0) : t('none')}</b>
    </>
  );
}
