import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Deal, DealDetail } from '@/api/contract';
import { isOpen } from '@/entities/deal/status';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { errorText, isApiError } from '@/lib/errors';
import { centsFromWire, usd } from '@/lib/money';
import { useAdminAction } from '../review/use-admin-action';
import { adminDealQuery } from './queries';

/** An admin's actions on a deal. `keep` takes the deal of each response. */
export function useDealReview(row: Deal, keep: (deal: Deal) => void) {
  const queryClient = useQueryClient();
  const me = useMe();
  const detail = useQuery(adminDealQuery(row._id));
  const deal: Deal = detail.data ?? row;
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const path = (key: string) => ({ params: { path: { id: row._id } }, headers: idempotent(key) });
  const take = <A extends object>(answer: A): A => {
    if ('deal' in answer) {
      const fresh = answer.deal as DealDetail;
      queryClient.setQueryData(keys.deal(row._id), fresh);
      keep(fresh);
    }
    return answer;
  };
  const done = (text: string) => () => {
    setRefused(null);
    setOutcome(text);
  };
  // On a conflict, shows the current state and the server's reason.
  const onFailed = (error: unknown) => {
    if (isApiError(error, 'conflict')) setRefused(errorText(error));
  };
  const parties = { buyer: deal.buyer.username, seller: deal.seller.username };
  const complete = useAdminAction({
    call: (_: undefined, key) => send(api.POST('/admin/deals/complete/{id}', path(key))).then(take),
    success: () => translate(admin, 'toast.dealCompleted'),
    failure: () => translate(admin, 'toast.dealCompleteFailed'),
    list: keys.adminDeals,
    row: row._id,
    onDone: done(translate(admin, 'complete.done', { ...parties, payout: usd(centsFromWire(deal.payout)) })),
    onRefused: setRefused,
    onFailed,
  });
  const cancel = useAdminAction({
    call: (_: undefined, key) => send(api.POST('/admin/deals/cancel/{id}', path(key))).then(take),
    success: () => translate(admin, 'toast.dealCancelled'),
    failure: () => translate(admin, 'toast.dealCancelFailed'),
    list: keys.adminDeals,
    row: row._id,
    onDone: done(translate(admin, 'refund.done', { ...parties, price: usd(centsFromWire(deal.price)) })),
    onRefused: setRefused,
    onFailed,
  });
  const own = deal.buyer._id === me._id || deal.seller._id === me._id;
  const open = isOpen(deal.status);
  const inFlight = detail.data?.operation !== undefined;
  return {
    deal,
    detail,
    complete: () => complete.run(undefined),
    cancel: () => cancel.run(undefined),
    forget: () => setRefused(null),
    state: {
      outcome,
      refused,
      own: own && open,
      mayAct: open && !own && outcome === null,
      completing: complete.phase,
      cancelling: cancel.phase,
      inFlight,
      busy: complete.phase !== 'idle' || cancel.phase !== 'idle' || inFlight,
    },
  };
}
