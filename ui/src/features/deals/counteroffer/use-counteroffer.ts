import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { CounterofferBody, DealAnswer } from '@/api/contract';
import { keys } from '@/entities/keys';
import { type Key, translate } from '@/i18n';
import { counteroffer as catalogue } from '@/i18n/en/deal-page';
import { api, idempotent, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { useKeyed } from '@/lib/idempotency';
import type { DealView } from '../deal-view';

const makeCounteroffer = (id: string, body: CounterofferBody, key: string) =>
  send(api.POST('/deals/{id}/counteroffers', { params: { path: { id } }, body, headers: idempotent(key) }));

// Idempotent.

const at = (id: string, counterofferId: string) => ({ params: { path: { id, counterofferId } } });

const acceptCounteroffer = (id: string, counterofferId: string) =>
  send(api.POST('/deals/{id}/counteroffers/{counterofferId}/accept', at(id, counterofferId)));

const declineCounteroffer = (id: string, counterofferId: string) =>
  send(api.POST('/deals/{id}/counteroffers/{counterofferId}/decline', at(id, counterofferId)));

const withdrawCounteroffer = (id: string, counterofferId: string) =>
  send(api.DELETE('/deals/{id}/counteroffers/{counterofferId}', at(id, counterofferId)));

type Toast = Extract<Key<typeof catalogue>, `toast.${string}`>;

type Options<V> = {
  dealId: string;
  call: (variables: V) => Promise<DealAnswer>;
  success: Toast;
  failure: Toast;
  onDone?: () => void;
};

const isOutdated = (error: unknown): boolean => isApiError(error) && [403, 404, 409].includes(error.status);

function useTermsCall<V>({ dealId, call, success, failure, onDone }: Options<V>) {
  const queryClient = useQueryClient();
  const say = (key: Toast) => () => translate(catalogue, key);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: keys.deals });
  // A ref, because the second click of a double click comes before the next render.
  const sent = useRef<V>(null);
  const mutation = useMutation({
    mutationFn: call,
    meta: { success: say(success), fallback: say(failure) },
    onSuccess: ({ deal }) => {
      queryClient.setQueryData(keys.deal(dealId), deal);
      onDone?.();
      refresh();
    },
    onError: (error) => {
      sent.current = null;
      if (isOutdated(error)) refresh();
    },
  });
  return {
    ...mutation,
    /** Sends the same value once, unless it failed. */
    run: (variables: V) => {
      if (sent.current === variables) return;
      sent.current = variables;
      mutation.mutate(variables);
    },
  };
}

/** Either side may propose terms until the deal is paid. */
export const mayPropose = ({ deal, move }: DealView): boolean => deal.status === 'Pending' && move !== 'blocked';

/** The calls about counter-offers. Answers carry the id of the offer on the screen. */
export function useCounteroffer(dealId: string, close: () => void) {
  const keyed = useKeyed((body: CounterofferBody, key) => makeCounteroffer(dealId, body, key));
  const make = useTermsCall({
    dealId,
    call: keyed,
    success: 'toast.made',
    failure: 'toast.makeFailed',
    onDone: close,
  });
  const accept = useTermsCall({
    dealId,
    call: (id: string) => acceptCounteroffer(dealId, id),
    success: 'toast.accepted',
    failure: 'toast.acceptFailed',
  });
  const decline = useTermsCall({
    dealId,
    call: (id: string) => declineCounteroffer(dealId, id),
    success: 'toast.declined',
    failure: 'toast.declineFailed',
  });
  const withdraw = useTermsCall({
    dealId,
    call: (id: string) => withdrawCounteroffer(dealId, id),
    success: 'toast.withdrawn',
    failure: 'toast.withdrawFailed',
  });
  const isBusy = [make, accept, decline, withdraw].some(({ isPending }) => isPending);
  return { make, accept, decline, withdraw, isBusy };
}
