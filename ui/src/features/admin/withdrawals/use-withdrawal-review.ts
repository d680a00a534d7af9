import type { AdminWithdrawal } from '@/api/contract';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { api, idempotent, send } from '@/lib/api';
import { bdt, centsFromWire, usd } from '@/lib/money';
import { putWithdrawal } from '../queue/queries';
import type { ReviewProps } from '../queue/queue-screen';
import { type RequestKind, type ReviewTexts, useRequestReview, useReviewAct } from '../review/use-request-review';

const REJECT = 'withdrawal_reject';

const sending: ReviewTexts = {
  success: () => translate(admin, 'toast.sent'),
  fallback: () => translate(admin, 'toast.sendFailed'),
};
const rejecting: ReviewTexts = {
  success: () => translate(admin, 'toast.withdrawalRejected'),
  fallback: () => translate(admin, 'toast.withdrawalRejectFailed'),
};

const path = ({ _id: id }: AdminWithdrawal) => ({ params: { path: { id } } });

const namesOf = ({ user, amount, convertedAmount }: AdminWithdrawal) => ({
  name: user.username,
  sum: usd(centsFromWire(amount)),
  taka: bdt(centsFromWire(convertedAmount)),
});

const WITHDRAWAL: RequestKind<AdminWithdrawal> = {
  name: 'withdrawal',
  list: keys.adminWithdrawals,
  put: putWithdrawal,
  claim: (row) => send(api.POST('/admin/withdrawals/{id}/claim', path(row))),
  reject: (row, body, key) => send(api.POST('/admin/withdrawals/{id}/reject', { ...path(row), body, headers: idempotent(key) })),
  rejecting,
  rejected: (row) => translate(admin, 'reject.doneWithdrawal', namesOf(row)),
  textsOf: (operation) => (operation?.kind === REJECT ? rejecting : sending),
};

export function useWithdrawalReview({ row, listed, keep }: Pick<ReviewProps<AdminWithdrawal>, 'row' | 'listed' | 'keep'>) {
  const review = useRequestReview(WITHDRAWAL, { row, listed, keep });
  const sent = useReviewAct<string>(review.reviewed, {
    call: (transactionId, key) => {
      const body = { amount: row.amount, ...(transactionId === '' ? {} : { transactionId }) };
      return send(api.POST('/admin/withdrawals/{id}/send', { ...path(row), body, headers: idempotent(key) }));
    },
    success: sending.success,
    failure: sending.fallback,
    outcome: () => translate(admin, 'send.done', namesOf(row)),
  });
  return { send: sent.run, error: sent.error, reject: review.reject, state: review.stateOf(sent.phase) };
}
