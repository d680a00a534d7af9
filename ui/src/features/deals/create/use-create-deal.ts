import type { SyntheticEvent } from 'react';
import { useMaybeMe, useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { translate, useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { api, idempotent, send } from '@/lib/api';
import { notifyActionFailure } from '../failures';
import { DEAL_FIELDS, type DealValues, dealBody, dealSchema, EMPTY_DEAL, SERVER_FIELDS } from './create-schema';
import { dealDraft } from './draft';

const CREATED = 201;

/** An answer that is no refusal and yet not "created". */
class UnexpectedStatus extends Error {}

async function create(values: DealValues, key: string): Promise<void> {
  const call = api.POST('/deals/create', { body: dealBody(values), headers: idempotent(key) });
  await send(call);
  if ((await call).response.status !== CREATED) throw new UnexpectedStatus();
}

/** The form of a new deal. It is empty again when the deal is made: its dialog stays on the page. */
export function useCreateDeal(onCreated: () => void) {
  const t = useTexts(deals);
  const me = useMaybeMe();
  const { _id: author } = useMe();
  const action = useMoneyAction<DealValues>({
    call: create,
    success: (): string => translate(deals, form.getValues('role') === 'seller' ? 'create.sent' : 'create.done'),
    fallback: () => translate(deals, 'create.unexpected'),
    quiet: true,
    onDone: (): void => {
      form.reset(EMPTY_DEAL);
      onCreated();
    },
    onFailed: (error) =>
      notifyActionFailure(error, translate(deals, error instanceof UnexpectedStatus ? 'create.failed' : 'create.unexpected')),
  });
  const { form, submit } = useDraftForm({
    schema: dealSchema,
    t,
    empty: EMPTY_DEAL,
    order: DEAL_FIELDS,
    server: { fields: SERVER_FIELDS },
    draft: dealDraft(author),
    mutation: action,
    onSubmit: (values) => action.runAsync(values),
  });
  return {
    form,
    submit: (event: SyntheticEvent) => {
      form.setValue('me', me?._id ?? '');
      submit(event);
    },
    sending: action.isPending,
    error: action.error,
  };
}
