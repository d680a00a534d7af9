import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AdminDeposit } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useOperation } from '@/entities/wallet/operations';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';
import { centsToWire, usd } from '@/lib/money';
import { type CallResult, outcomeText } from '@/lib/outcomes';
import { putDeposit } from '../queue/queries';
import { reviewState } from '../review/review-state';
import { useAdminAction } from '../review/use-admin-action';
import { useClaim } from '../review/use-claim';

type Approval = { cents: number; reason: string };

const says = {
  success: (done: CallResult) => outcomeText(done, translate(admin, 'toast.approved')),
  fallback: () => translate(admin, 'toast.approveRefused'),
};

/** There are two texts: one for a refusal without a message, one for a call that failed. */
function approveFailure(error: unknown): string {
  const answered = error instanceof ApiError && error.status > 0 && error.status < 500;
  return translate(admin, answered ? 'toast.approveRefused' : 'toast.approveFailed');
}

/** Everything that can be done with a deposit under review. `keep` takes the row as an answer has it. */
export function useDepositReview(row: AdminDeposit, listed: boolean, keep: (row: AdminDeposit) => void) {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const path = { params: { path: { id: row._id } } };
  const take = <A extends object>(answer: A): A => {
    if ('deposit' in answer) {
      keep(answer.deposit as AdminDeposit);
      putDeposit(queryClient, answer.deposit as AdminDeposit);
    }
    return answer;
  };
  const me = useMe();
  const proposal = row.awaitingConfirmation;
  const claim = useClaim(row, {
    listed,
    settled: outcome !== null,
    spared: proposal?.by._id === me._id,
    list: keys.adminDeposits,
    call: () => send(api.POST('/admin/deposits/{id}/claim', path)).then(take),
  });
  // Not a state: the callbacks below may be of the render before.
  const credited = useRef(0);
  const proposed = useRef(false);
  const say = () => {
    const sum = usd(credited.current);
    if (proposed.current) return translate(admin, 'confirm.proposed', { sum });
    return translate(admin, 'approve.done', { sum, name: row.user.username });
  };
  const approve = useAdminAction<Approval>({
    call: ({ cents, reason }, key) => {
      const body = { amount: centsToWire(cents), userId: row.user._id, ...(reason === '' ? {} : { reason }) };
      return send(api.POST('/admin/deposit/approve/{id}', { ...path, body, headers: idempotent(key) }))
        .then(take)
        .then((answer) => {
          proposed.current = 'deposit' in answer && answer.deposit.awaitingConfirmation !== null;
          return answer;
        });
    },
    success: says.success,
    failure: approveFailure,
    list: keys.adminDeposits,
    onDone: () => setOutcome(say()),
    onRefused: setRefused,
  });
  const confirm = useAdminAction<number>({
    call: (cents, key) => {
      const body = { amount: centsToWire(cents) };
      return send(api.POST('/admin/deposits/{id}/confirm', { ...path, body, headers: idempotent(key) })).then(take);
    },
    success: says.success,
    failure: approveFailure,
    list: keys.adminDeposits,
    onDone: () => setOutcome(say()),
    onRefused: setRefused,
  });
  const reject = useAdminAction<string>({
    call: (reason) => send(api.POST('/admin/deposit/reject/{id}', { ...path, body: reason === '' ? {} : { reason } })).then(take),
    success: () => translate(admin, 'toast.depositRejected'),
    failure: () => translate(admin, 'toast.depositRejectFailed'),
    list: keys.adminDeposits,
    onDone: () => setOutcome(translate(admin, 'reject.doneDeposit')),
    onRefused: setRefused,
  });
  // Found after a reload. What another admin started is his to announce.
  const inFlight = useOperation(claim.others ? undefined : row.operation, { ...says, refresh: [keys.adminDeposits] });
  return {
    approve: (approval: Approval) => {
      credited.current = approval.cents;
      approve.run(approval);
    },
    confirm: (cents: number) => {
      credited.current = cents;
      proposed.current = false;
      confirm.run(cents);
    },
    own: proposal?.by._id === me._id,
    reject: reject.run,
    state: reviewState(row, claim, {
      outcome,
      refused,
      acting: approve.phase === 'idle' ? confirm.phase : approve.phase,
      rejecting: reject.phase,
      inFlight,
    }),
  };
}
