import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { AdminDeposit } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { translate, useTexts } from '@/i18n';
import { admin, adminDeposits } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { parseCents } from '@/lib/amount';
import { api, idempotent, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';
import { type Cents, centsFromWire, centsToWire, usd } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import type { ReviewProps } from '../queue/queue-screen';
import { RequestReview } from '../review/request-review';
import { Copied, UsedBefore } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { type ApprovalValues, approvalSchema, CreditFields, inTaka, needsReason } from './credit-fields';
import { creditedToOther, DepositFacts, Disputes, ProposalNote } from './deposit-facts';
import { RejectDialog, type Rejection } from './reject-dialog';

type Action =
  | { act: 'approve'; cents: Cents; reason: string }
  | { act: 'confirm'; cents: Cents }
  | { act: 'reject'; rejection: Rejection };

/** A refusal without a message has another text than a call that failed. */
function failureText(error: unknown, act: Action['act']): string {
  if (act === 'reject') return translate(admin, 'toast.depositRejectFailed');
  const answered = error instanceof ApiError && error.status > 0 && error.status < 500;
  return translate(admin, answered ? 'toast.approveRefused' : 'toast.approveFailed');
}

type Options = Pick<ReviewProps<AdminDeposit>, 'row' | 'listed' | 'keep'> & { onDecided: (outcome: string) => void };

function useDepositReview({ row, listed, keep, onDecided }: Options) {
  const me = useMe();
  const own = row.awaitingConfirmation?.by._id === me._id;
  const params = { path: { id: row._id } };
  const review = useReview<AdminDeposit, Action>({
    list: keys.adminDeposits,
    name: 'deposit',
    row,
    onRow: keep,
    claim: { listed, spared: own, call: () => send(api.POST('/admin/deposits/{id}/claim', { params })) },
    follow: () => 'approve',
    call: (action, key) => {
      const headers = idempotent(key);
      if (action.act === 'reject') {
        return send(api.POST('/admin/deposit/reject/{id}', { params, body: action.rejection }));
      }
      if (action.act === 'confirm') {
        const body = { amount: centsToWire(action.cents) };
        return send(api.POST('/admin/deposits/{id}/confirm', { params, body, headers }));
      }
      const { cents, reason } = action;
      const body = { amount: centsToWire(cents), userId: row.user._id, ...(reason === '' ? {} : { reason }) };
      return send(api.POST('/admin/deposit/approve/{id}', { params, body, headers }));
    },
    success: (done, act) =>
      act === 'reject' ? translate(admin, 'toast.depositRejected') : outcomeText(done, translate(admin, 'toast.approved')),
    failure: failureText,
    outcome: ({ outcome }, action) => {
      if (action.act === 'reject') return translate(admin, 'reject.doneDeposit');
      const sum = usd(action.cents);
      if (outcome === 'credit_proposed') return translate(admin, 'confirm.proposed', { sum });
      return translate(admin, 'approve.done', { sum, name: row.user.username });
    },
    onDecided,
  });
  return { review, own };
}

type Props = ReviewProps<AdminDeposit> & {
  /** Larger credits need a second admin; 0 for none. */
  secondAbove: Cents;
  /** The result of the previous deposit, which opened this one. */
  before: string | null;
  onDecided: (outcome: string) => void;
};

/** Ignores the second click of a double click on the previous deposit, in milliseconds. */
const DOUBLE_CLICK_TIME = 700;

function useTouchable(opened: boolean): boolean {
  const [touchable, setTouchable] = useState(!opened);
  useEffect(() => {
    const timer = setTimeout(() => setTouchable(true), DOUBLE_CLICK_TIME);
    return () => clearTimeout(timer);
  }, []);
  return touchable;
}

/** Updates the prefilled amount until the admin has changed it. */
function usePrefilledAmount({ getValues, reset }: UseFormReturn<ApprovalValues>, filled: ApprovalValues): void {
  const last = useRef(filled);
  const follow = useEffectEvent(() => {
    const { amount, taka } = getValues();
    if (amount !== last.current.amount || taka !== last.current.taka) return;
    last.current = filled;
    reset(filled);
  });
  useEffect(() => follow(), [filled.amount, filled.taka]);
}

export default function DepositReview(props: Props) {
  const { row, listed, eyebrow, keep, onNext, onClose, secondAbove, before, onDecided } = props;
  const t = useTexts(admin);
  const tAdminDeposits = useTexts(adminDeposits);
  const tKhata = useTexts(khata);
  const touchable = useTouchable(before !== null);
  const { review, own } = useDepositReview({ row, listed, keep, onDecided });
  const [anew, setAnew] = useState(false);
  const claimed = centsFromWire(row.claimedAmount);
  const due = { claimed, worth: centsFromWire(row.creditAmount) };
  const worth = (due.worth / 100).toFixed(2);
  const filled: ApprovalValues = { amount: worth, taka: inTaka(worth, row.creditRate), typed: 'usd', again: '', reason: '' };
  const { form, check } = useDraftForm<ApprovalValues>({
    schema: approvalSchema(due),
    t,
    empty: filled,
    mutation: { isPending: review.busy, error: review.errorOf('approve') },
  });
  usePrefilledAmount(form, filled);
  const cents = parseCents(useWatch({ control: form.control, name: 'amount' })) ?? 0;
  const name = row.user.username;
  const proposal = anew ? null : row.awaitingConfirmation;
  const proposed = proposal ? centsFromWire(proposal.amount) : null;
  const sum = usd(proposed ?? cents);
  const toApprove = {
    letter: 'a' as const,
    blocked: !touchable,
    label: cents > 0 ? t('approve', { sum }) : t('approvePlain'),
    ask: t('approve.ask', { sum }),
    askText: t(secondAbove > 0 && cents > secondAbove ? 'approve.askSecond' : 'approve.askText', { name, sum }),
    check,
    run: () => review.run({ act: 'approve', cents, reason: needsReason(cents, due) ? form.getValues('reason').trim() : '' }),
  };
  const toConfirm = {
    ...toApprove,
    label: t('confirm', { sum }),
    ask: t('confirm.ask', { sum }),
    askText: t('approve.askText', { name, sum }),
    check: (then: () => void) => then(),
    run: () => review.run({ act: 'confirm', cents: proposed ?? 0 }),
  };
  const gone = creditedToOther(row.disputes);
  const act = proposal === null ? toApprove : own ? null : toConfirm;
  return (
    <RequestReview
      subject={row._id}
      eyebrow={eyebrow}
      title={t('review.claims', { name, sum: usd(claimed) })}
      review={review}
      pending={row.status === 'pending'}
      act={gone ? null : act}
      before={before === null ? null : tAdminDeposits('before', { outcome: before })}
      rejecting={(dialog) => (
        <RejectDialog
          {...dialog}
          title={t('reject.askDeposit', { name })}
          text={t('reject.askDepositText', { sum: usd(claimed), id: row.transactionId })}
          name={name}
          onAnswer={(rejection) => review.run({ act: 'reject', rejection })}
        />
      )}
      facts={
        <>
          <Copied
            label={t('transactionOf', { method: tKhata(`method.${row.paymentMethod}`) })}
            value={row.transactionId}
            what={t('copy.transaction')}
            done={t('transactionCopied')}
          />
          {row.sameTransactionId > 0 || row.disputes.length === 0 ? <UsedBefore times={row.sameTransactionId} /> : null}
          <Disputes disputes={row.disputes} />
          <DepositFacts row={row} />
        </>
      }
      fields={
        gone ? null : proposal ? (
          <ProposalNote proposal={proposal} own={own} disabled={review.busy} onOther={() => setAnew(true)} />
        ) : (
          <CreditFields
            control={form.control}
            errors={form.formState.errors}
            due={due}
            rate={row.creditRate}
            onTyped={(typed, values) => {
              form.setValue('typed', typed);
              for (const [field, value] of Object.entries(values)) form.setValue(field as 'amount' | 'taka', value);
            }}
            name={name}
            disabled={!review.mayAct || review.busy}
          />
        )
      }
      onNext={onNext}
      onClose={onClose}
    />
  );
}
