import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DealDetail } from '@/api/contract';
import { isMostlyRefunded } from '@/entities/deal/rules';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { review } from '@/i18n/en/deal-page';
import { api, idempotent, send } from '@/lib/api';
import { keepDraft, readDraft } from '@/lib/draft';
import { notify } from '@/lib/toast';
import type { DealView } from '../deal-view';

/** Not if the seller never agreed, or most of the price was refunded. */
export function mayReview({ deal, side }: DealView): boolean {
  if (side !== 'buyer' || deal.status !== 'Completed' || deal.reviewGiven) return false;
  return deal.acceptedAt !== null && !isMostlyRefunded(deal);
}

const POSTPONED = { later: '' };
const postponement = (userId: string, dealId: string): string => `review-later:${userId}:${dealId}`;

export function useReview(view: DealView) {
  const queryClient = useQueryClient();
  const { deal, other } = view;
  const me = useMe();
  const later = postponement(me._id, deal._id);
  const [wanted, setWanted] = useState(() => readDraft(later, POSTPONED).later === '');
  const setOpen = (open: boolean) => {
    setWanted(open);
    if (!open) keepDraft(later, { later: 'yes' }, POSTPONED);
  };
  const action = useMoneyAction({
    call: ({ rating, comment }: { rating: number; comment: string }, key) =>
      send(
        api.POST('/reviews', {
          body: { reviewedUser: other._id, rating, comment: comment.trim(), dealId: deal._id },
          headers: idempotent(key),
        }),
      ),
    success: () => translate(review, 'done'),
    fallback: () => translate(review, 'failed'),
    quiet: true,
    onDone: () => {
      queryClient.setQueryData<DealDetail>(keys.deal(deal._id), (old) => old && { ...old, reviewGiven: true });
      setWanted(false);
    },
    // The same text for every failure (docs/rules.md#failures). The input stays.
    onFailed: () => notify.error(translate(review, 'failed')),
  });
  return {
    open: wanted && mayReview(view),
    setOpen,
    send: action.runAsync,
    sending: action.isPending,
  };
}

export type Review = ReturnType<typeof useReview>;
