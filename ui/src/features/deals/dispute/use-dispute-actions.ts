import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DealDispute, DisputeOffer, Pending } from '@/api/contract';
import { putDispute } from '@/entities/deal/dispute/queries';
import { isRunning } from '@/entities/deal/dispute/running';
import type { Side } from '@/entities/deal/rules';
import { keys } from '@/entities/keys';
import { isUnconfirmed } from '@/entities/user/second-factor/confirmation';
import { useMoneyAction } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { isApiError } from '@/lib/errors';
import { notifyActionFailure } from '../failures';
import { acceptDecision, acceptOffer, appealDecision, closeDispute, offerSplit, withdrawOffer } from './calls';
import { useDisputeCall } from './use-dispute-call';

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
