import { type SyntheticEvent, useRef } from 'react';
import type { DealDetail, DealInvite } from '@/api/contract';
import { useMaybeMe, useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { translate, useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { api, idempotent, send } from '@/lib/api';
import { notifyActionFailure } from '../failures';
import { DEAL_FIELDS, type DealValues, dealBody, dealSchema, SERVER_FIELDS } from './create-schema';
import { aboutOf, type DealStart, filledIn } from './deal-start';
import { dealDraft } from './draft';

const CREATED = 201;

/** A success other than 201. */
class UnexpectedStatus extends Error {}

type Made = DealDetail | DealInvite;

async function create(values: DealValues, key: string): Promise<Made> {
  const call = api.POST('/deals/create', { body: dealBody(values), headers: idempotent(key) });
  const made = await send(call);
  if ((await call).response.status !== CREATED) throw new UnexpectedStatus();
  return made;
}

/** The form of a new deal. It resets when the deal is made, because its dialog stays mounted. */
export function useCreateDeal(start: DealStart | null, onCreated: (made: Made) => void) {
  const t = useTexts(deals);
  const me = useMaybeMe();
  const { _id: author } = useMe();
  const empty = filledIn(start);
  const made = useRef<Made | null>(null);
  const action = useMoneyAction<DealValues>({
    call: async (values, key) => {
      made.current = await create(values, key);
    },
    success: (): string => {
      if (made.current && 'code' in made.current) return translate(deals, 'create.linked');
      return translate(deals, form.getValues('role') === 'seller' ? 'create.sent' : 'create.done');
    },
    fallback: () => translate(deals, 'create.unexpected'),
    quiet: true,
    onDone: (): void => {
      form.reset(empty);
      if (made.current) onCreated(made.current);
    },
    onFailed: (error) =>
      notifyActionFailure(error, translate(deals, error instanceof UnexpectedStatus ? 'create.failed' : 'create.unexpected')),
  });
  const { form, submit } = useDraftForm({
    schema: dealSchema,
    t,
    empty,
    order: DEAL_FIELDS,
    server: { fields: SERVER_FIELDS },
    draft: dealDraft(author, aboutOf(start)),
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
