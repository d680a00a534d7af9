import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useMaybeMe, useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { translate, useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { api, idempotent, send } from '@/lib/api';
import { ApiError, fieldText } from '@/lib/errors';
import { firstMessage } from '@/lib/forms';
import { notify } from '@/lib/toast';
import { notifyActionFailure } from '../failures';
import { DEAL_FIELDS, type DealValues, dealBody, dealSchema, EMPTY_DEAL, SERVER_FIELDS } from './create-schema';
import { dropDealDraft, keepDealDraft, readDealDraft } from './draft';

const CREATED = 201;

/** An answer that is no refusal and yet not "created". */
class UnexpectedStatus extends Error {}

async function create(values: DealValues, key: string): Promise<void> {
  const call = api.POST('/deals/create', { body: dealBody(values), headers: idempotent(key) });
  await send(call);
  if ((await call).response.status !== CREATED) throw new UnexpectedStatus();
}

/** The form of a new deal. What was typed stays through every failure, a closed dialog, another page and a reload; it goes when the deal is made. */
export function useCreateDeal(onCreated: () => void) {
  const t = useTexts(deals);
  const me = useMaybeMe();
  const { _id: author } = useMe();
  const [defaultValues] = useState(() => readDealDraft(author));
  const form = useForm<DealValues>({
    resolver: standardSchemaResolver(dealSchema),
    defaultValues,
    shouldFocusError: false,
  });
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepDealDraft(author, values) }),
    [form, author],
  );
  const action = useMoneyAction<DealValues>({
    call: create,
    success: () => translate(deals, form.getValues('role') === 'seller' ? 'create.sent' : 'create.done'),
    fallback: () => translate(deals, 'create.unexpected'),
    quiet: true,
    onDone: () => {
      form.reset(EMPTY_DEAL);
      dropDealDraft(author);
      onCreated();
    },
    onFailed: (error) => {
      notifyActionFailure(error, translate(deals, error instanceof UnexpectedStatus ? 'create.failed' : 'create.unexpected'));
      if (error instanceof ApiError) showAtFields(error);
    },
  });
  const showAtFields = (error: ApiError) => {
    for (const [theirs, ours] of Object.entries(SERVER_FIELDS)) {
      const message = fieldText(error, theirs);
      if (message) form.setError(ours, { type: 'server', message }, { shouldFocus: true });
    }
  };
  const submit = () => {
    form.setValue('me', me?._id ?? '');
    return form.handleSubmit(action.run, (invalid) => {
      notify.invalid(firstMessage(t, invalid, DEAL_FIELDS));
      // The field that the toast speaks of, not the first one of the page.
      const first = DEAL_FIELDS.find((name) => invalid[name]);
      if (first && first !== 'me') form.setFocus(first);
    })();
  };
  return { form, submit, sending: action.phase !== 'idle' };
}
