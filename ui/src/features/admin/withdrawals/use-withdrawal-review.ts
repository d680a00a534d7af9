import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminWithdrawal } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useOperation } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { bdt, centsFromWire, usd } from '@/lib/money';
import { putWithdrawal } from '../queue/queries';
import { reviewState } from '../review/review-state';
import { useAdminAction } from '../review/use-admin-action';
import { useClaim } from '../review/use-claim';

const sending = {
  success: () => translate(admin, 'toast.sent'),
  fallback: () => translate(admin, 'toast.sendFailed'),
};
const rejecting = {
  success: () => translate(admin, 'toast.withdrawalRejected'),
  fallback: () => translate(admin, 'toast.withdrawalRejectFailed'),
};
const REJECT = 'withdrawal_reject';

type Hooks = { keep: (row: AdminWithdrawal) => void; onSendFailed: (error: unknown) => void };

/** Everything that can be done with a withdrawal under review. `keep` takes the row as an answer has it. */
export function useWithdrawalReview(row: AdminWithdrawal, listed: boolean, { keep, onSendFailed }: Hooks) {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const path = { params: { path: { id: row._id } } };
  const text = {
    name: row.user.username,
    sum: usd(centsFromWire(row.amount)),
    taka: bdt(centsFromWire(row.convertedAmount)),
  };
  const take = <A extends object>(answer: A): A => {
    if ('withdrawal' in answer) {
      keep(answer.withdrawal as AdminWithdrawal);
      putWithdrawal(queryClient, answer.withdrawal as AdminWithdrawal);
    }
    return answer;
  };
  const claim = useClaim(row, {
    listed,
    settled: outcome !== null,
    list: keys.adminWithdrawals,
    call: () => send(api.POST('/admin/withdrawals/{id}/claim', path)).then(take),
  });
  const sent = useAdminAction<string>({
    call: (transactionId, key) => {
      const body = { amount: row.amount, ...(transactionId === '' ? {} : { transactionId }) };
      return send(api.POST('/admin/withdrawals/{id}/send', { ...path, body, headers: idempotent(key) })).then(take);
    },
    success: sending.success,
    failure: sending.fallback,
    list: keys.adminWithdrawals,
    onDone: () => setOutcome(translate(admin, 'send.done', text)),
    onRefused: setRefused,
    onFailed: onSendFailed,
  });
  const rejected = useAdminAction<string>({
    call: (reason, key) => {
      const body = reason === '' ? {} : { reason };
      return send(api.POST('/admin/withdrawals/{id}/reject', { ...path, body, headers: idempotent(key) })).then(take);
    },
    success: rejecting.success,
    failure: rejecting.fallback,
    list: keys.adminWithdrawals,
    onDone: () => setOutcome(translate(admin, 'reject.doneWithdrawal', text)),
    onRefused: setRefused,
  });
  // Found after a reload. What another admin started is his to announce.
  const found = claim.others ? undefined : row.operation;
  const says = found?.kind === REJECT ? rejecting : sending;
  const inFlight = useOperation(found, { ...says, refresh: [keys.adminWithdrawals] });
  return {
    send: sent.run,
    reject: rejected.run,
    state: reviewState(row, claim, { outcome, refused, acting: sent.phase, rejecting: rejected.phase, inFlight }),
  };
}
