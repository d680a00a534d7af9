import { useQuery } from '@tanstack/react-query';
import { type Path, useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { PaymentMethod } from '@/api/contract';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { parseCents } from '@/lib/amount';
import { textDraft } from '@/lib/draft';
import { toPoisha } from '@/lib/money';
import { firstBrokenRule } from './schemas';
import { useFirstField } from './use-first-field';
import type { MoneyRequest, MoneyRequestAction, RequestValues } from './use-money-request';

export type RequestFormProps<V extends RequestValues> = {
  method: PaymentMethod;
  action: MoneyRequestAction<V>;
  draft: string;
};

type Options<V extends RequestValues> = RequestFormProps<V> & {
  request: MoneyRequest<V>;
  schema: z.ZodMiniType<V, V>;
  empty: V;
  codes: Readonly<Record<string, Path<V>>>;
};

/** The form of a deposit or a withdrawal, with the amount in taka. */
export function useRequestForm<V extends RequestValues>({ method, action, draft, request, schema, empty, codes }: Options<V>) {
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
    onSubmit: (values) => action.runAsync({ ...values, method }),
  });
  const name = 'amount' as Path<V>;
  useFirstField(form, name);
  const { data: rate } = useQuery(rateQuery);
  const cents = parseCents(useWatch({ control: form.control, name })) ?? 0;
  const whole = rate ? request.round(rate.usdToBdt) : null;
  const poisha = cents > 0 && whole !== null ? toPoisha(cents, whole) : null;
  return { form, submit, errorOf, cents, whole, poisha };
}
