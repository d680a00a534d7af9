import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DealDispute, DisputeOffer, DisputeReason, Pending } from '@/api/contract';
import { putDispute } from '@/entities/deal/dispute/queries';
import type { Side } from '@/entities/deal/rules';
import { isRunning } from '@/entities/deal/status';
import { keys } from '@/entities/keys';
import { isUnconfirmed, withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useMoneyAction } from '@/entities/wallet/operations';
import { type Key, translate } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/disputes';
import { api, idempotent, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { useKeyed } from '@/lib/idempotency';
import { notifyActionFailure } from '../failures';

export type Evidence = { text: string; links: string[]; pictures: string[] };
type Opening = Evidence & { reason: DisputeReason };

const at = (id: string) => ({ path: { id } });

export const openDispute = (dealId: string, body: Opening, key: string) =>
  send(api.POST('/deals/{id}/dispute', { params: at(dealId), body, headers: idempotent(key) }));

export const answerDispute = (id: string, body: Evidence, key: string) =>
  send(api.POST('/disputes/{id}/answer', { params: at(id), body, headers: idempotent(key) }));

export const writeInDispute = (id: string, body: Omit<Evidence, 'links'>, key: string) =>
  send(api.POST('/disputes/{id}/messages', { params: at(id), body, headers: idempotent(key) }));

// Idempotent.
const closeDispute = (id: string) => send(api.POST('/disputes/{id}/close', { params: at(id) }));

const offerSplit = (id: string, buyerGets: number, key: string) =>
  withConfirmation(() =>
    send(api.POST('/disputes/{id}/offers', { params: at(id), body: { buyerGets }, headers: idempotent(key) })),
  );

const withdrawOffer = (id: string, offerId: string) =>
  send(api.DELETE('/disputes/{id}/offers/{offerId}', { params: { path: { id, offerId } } }));

const appealDecision = (id: string, text: string, key: string) =>
  send(api.POST('/disputes/{id}/appeal', { params: at(id), body: { text }, headers: idempotent(key) }));

// These may move money: they are retried under their key and followed to their end.

const acceptOffer = (id: string, offerId: string, key: string) =>
  withConfirmation(() =>
    send(api.POST('/disputes/{id}/offers/{offerId}/accept', { params: { path: { id, offerId } }, headers: idempotent(key) })),
  );

const acceptDecision = (id: string, key: string) =>
  send(api.POST('/disputes/{id}/accept', { params: at(id), headers: idempotent(key) }));

type Text = Extract<Key<typeof catalogue>, `toast.${string}`>;

type Options<B> = {
  call: (body: B, key: string) => Promise<{ dispute: DealDispute }>;
  success: Text;
  failure: Text;
  onDone?: (dispute: DealDispute) => void;
  onOutdated?: () => void;
};

const isOutdated = (error: unknown): boolean => isApiError(error) && [403, 404, 409].includes(error.status);

/** A change of a dispute without money: one key per body, a toast, and the new state. */
export function useDisputeCall<B extends string | number | object>({ call, success, failure, onDone, onOutdated }: Options<B>) {
  const queryClient = useQueryClient();
  const say = (key: Text) => () => translate(catalogue, key);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.deals });
  const keyed = useKeyed(call);
  return useMutation({
    mutationFn: (body: B) => keyed(body),
    meta: { success: say(success), quiet: true },
    onSuccess: ({ dispute }) => {
      putDispute(queryClient, dispute);
      onDone?.(dispute);
      void refresh();
    },
    onError: (error) => {
      if (isUnconfirmed(error)) return;
      notifyActionFailure(error, translate(catalogue, failure));
      if (!isOutdated(error)) return;
      onOutdated?.();
      void refresh();
    },
  });
}

/** The open dialog. An offer is the one on the screen, since another has other sums. */
export type Asked =
  | { what: 'offer' | 'acceptDecision' | 'appeal' | 'close' }
  | { what: 'acceptOffer' | 'withdraw'; offer: DisputeOffer };

type Accepted = { offerId: string } | 'decision';

export const openOffer = (dispute: DealDispute, by: Side): DisputeOffer | undefined =>
  dispute.offers.find((offer) => offer.by === by && offer.status === 'open');

export function mayAccept({ status, decision }: DealDispute, side: Side): boolean {
  if (status !== 'decided' || decision?.carriedOutAt !== null) return false;
  return !(side === 'buyer' ? decision.acceptedByBuyer : decision.acceptedBySeller);
}

function stillAsked(asked: Asked | null, dispute: DealDispute, side: Side): Asked | null {
  if (asked === null || dispute.operation || !isRunning(dispute.status)) return null;
  if ('offer' in asked) {
    const open = dispute.offers.some(({ _id, status }) => _id === asked.offer._id && status === 'open');
    return open ? asked : null;
  }
  if (asked.what === 'appeal') return dispute.canAppeal ? asked : null;
  return asked.what === 'acceptDecision' && !mayAccept(dispute, side) ? null : asked;
}

/** Accepting moves money, and is followed to its end. */
function useAccept(dispute: DealDispute, close: () => void) {
  const queryClient = useQueryClient();
  const { _id: id } = dispute;
  return useMoneyAction<Accepted>({
    intention: (accepted) => (accepted === 'decision' ? accepted : accepted.offerId),
    call: async (accepted, key) => {
      const answer = await (accepted === 'decision' ? acceptDecision(id, key) : acceptOffer(id, accepted.offerId, key));
      const { dispute: changed, operation } = answer as { dispute?: DealDispute } & Partial<Pending>;
      if (changed) putDispute(queryClient, changed);
      else if (operation) {
        queryClient.setQueryData<DealDispute>(keys.dispute(id), (old) => old && { ...old, operation });
      }
      return answer;
    },
    success: (_done, accepted) =>
      translate(catalogue, accepted === 'decision' ? 'toast.decisionAccepted' : 'toast.offerAccepted'),
    quiet: true,
    onProcessing: close,
    onDone: close,
    onFailed: (error) => {
      if (isUnconfirmed(error)) return;
      notifyActionFailure(error, translate(catalogue, 'toast.acceptFailed'));
      if (isApiError(error) && [403, 404, 409].includes(error.status)) close();
    },
  });
}

export function useDisputeActions(dispute: DealDispute, side: Side) {
  const { _id: id } = dispute;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const done = { onDone: close, onOutdated: close };
  const accept = useAccept(dispute, close);
  const offer = useDisputeCall<number>({
    ...done,
    call: (buyerGets, key) => offerSplit(id, buyerGets, key),
    success: 'toast.offered',
    failure: 'toast.offerFailed',
  });
  const withdraw = useDisputeCall<string>({
    ...done,
    call: (offerId) => withdrawOffer(id, offerId),
    success: 'toast.withdrawn',
    failure: 'toast.withdrawFailed',
  });
  const appeal = useDisputeCall<string>({
    ...done,
    call: (text, key) => appealDecision(id, text, key),
    success: 'toast.appealed',
    failure: 'toast.appealFailed',
  });
  const end = useDisputeCall<string>({
    ...done,
    call: closeDispute,
    success: 'toast.closed',
    failure: 'toast.closeFailed',
  });
  const paying = dispute.operation !== undefined || accept.isPending;
  const anyBusy = paying || [offer, withdraw, appeal, end].some(({ isPending }) => isPending);
  return {
    asked: stillAsked(asked, dispute, side),
    ask: (question: Asked) => {
      if (!anyBusy) setAsked(question);
    },
    close,
    accept,
    offer,
    withdraw,
    appeal,
    end,
    paying,
    anyBusy,
  };
}

export type DisputeActions = ReturnType<typeof useDisputeActions>;
