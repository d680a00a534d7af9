import { useRef } from 'react';
import type { AdminDeposit } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';
import { centsToWire, usd } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import { putDeposit } from '../queue/queries';
import type { ReviewProps } from '../queue/queue-screen';
import { type RequestKind, type ReviewTexts, useRequestReview, useReviewAct } from '../review/use-request-review';

type Approval = { cents: number; reason: string };

const approving: ReviewTexts = {
  success: (done) => outcomeText(done, translate(admin, 'toast.approved')),
  fallback: () => translate(admin, 'toast.approveRefused'),
};

/** A refusal without a message has another text than a call that failed. */
function approveFailure(error: unknown): string {
  const answered = error instanceof ApiError && error.status > 0 && error.status < 500;
  return translate(admin, answered ? 'toast.approveRefused' : 'toast.approveFailed');
}

const path = ({ _id: id }: AdminDeposit) => ({ params: { path: { id } } });

const DEPOSIT: RequestKind<AdminDeposit> = {
  name: 'deposit',
  list: keys.adminDeposits,
  put: putDeposit,
  claim: (row) => send(api.POST('/admin/deposits/{id}/claim', path(row))),
  reject: (row, body) => send(api.POST('/admin/deposit/reject/{id}', { ...path(row), body })),
  rejecting: {
    success: () => translate(admin, 'toast.depositRejected'),
    fallback: () => translate(admin, 'toast.depositRejectFailed'),
  },
  rejected: () => translate(admin, 'reject.doneDeposit'),
  textsOf: () => approving,
};

type Options = Pick<ReviewProps<AdminDeposit>, 'row' | 'listed' | 'keep'> & { onDecided: (outcome: string) => void };

export function useDepositReview({ row, listed, keep, onDecided }: Options) {
  const me = useMe();
  const own = row.awaitingConfirmation?.by._id === me._id;
  const review = useRequestReview(DEPOSIT, { row, listed, keep, onDecided, spared: own });
  // Refs, because a callback below may belong to an earlier render.
  const credited = useRef(0);
  const proposed = useRef(false);
  const texts = {
    success: approving.success,
    failure: approveFailure,
    outcome: () => {
      const sum = usd(credited.current);
      if (proposed.current) return translate(admin, 'confirm.proposed', { sum });
      return translate(admin, 'approve.done', { sum, name: row.user.username });
    },
  };
  const approve = useReviewAct<Approval>(review.reviewed, {
    ...texts,
    call: async ({ cents, reason }, key) => {
      const body = { amount: centsToWire(cents), userId: row.user._id, ...(reason === '' ? {} : { reason }) };
      const answer = await send(api.POST('/admin/deposit/approve/{id}', { ...path(row), body, headers: idempotent(key) }));
      proposed.current = 'deposit' in answer && answer.deposit.awaitingConfirmation !== null;
      return answer;
    },
  });
  const confirm = useReviewAct<number>(review.reviewed, {
    ...texts,
    call: (cents, key) => {
      const body = { amount: centsToWire(cents) };
      return send(api.POST('/admin/deposits/{id}/confirm', { ...path(row), body, headers: idempotent(key) }));
    },
  });
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
    own,
    error: approve.error,
    reject: review.reject,
    state: review.stateOf(approve.phase === 'idle' ? confirm.phase : approve.phase),
  };
}
