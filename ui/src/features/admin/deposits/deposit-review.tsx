import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { AdminDeposit } from '@/api/contract';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminDeposits } from '@/i18n/en/admin-deposits';
import { khata } from '@/i18n/en/khata';
import { parseCents } from '@/lib/amount';
import { type Cents, centsFromWire, usd } from '@/lib/money';
import type { ReviewProps } from '../queue/queue-screen';
import { RequestReview } from '../review/request-review';
import { Copied, UsedBefore } from '../review/review-parts';
import { type ApprovalValues, approvalSchema, inTaka, needsReason } from './approval-schema';
import { CreditFields } from './credit-fields';
import { DepositFacts } from './deposit-facts';
import { creditedToOther, Disputes } from './disputes';
import { ProposalNote } from './proposal-note';
import { RejectDialog } from './reject-dialog';
import { useDepositReview } from './use-deposit-review';

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
  const { approve, confirm, reject, own, error, state } = useDepositReview({ row, listed, keep, onDecided });
  const [anew, setAnew] = useState(false);
  const claimed = centsFromWire(row.claimedAmount);
  const due = { claimed, worth: centsFromWire(row.creditAmount) };
  const worth = (due.worth / 100).toFixed(2);
  const filled: ApprovalValues = { amount: worth, taka: inTaka(worth, row.creditRate), typed: 'usd', again: '', reason: '' };
  const { form, check } = useDraftForm<ApprovalValues>({
    schema: approvalSchema(due),
    t,
    empty: filled,
    mutation: { isPending: state.busy, error },
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
    run: () => approve({ cents, reason: needsReason(cents, due) ? form.getValues('reason').trim() : '' }),
  };
  const toConfirm = {
    ...toApprove,
    label: t('confirm', { sum }),
    ask: t('confirm.ask', { sum }),
    askText: t('approve.askText', { name, sum }),
    check: (then: () => void) => then(),
    run: () => confirm(proposed ?? 0),
  };
  const gone = creditedToOther(row.disputes);
  const act = proposal === null ? toApprove : own ? null : toConfirm;
  return (
    <RequestReview
      subject={row._id}
      eyebrow={eyebrow}
      title={t('review.claims', { name, sum: usd(claimed) })}
      state={state}
      pending={row.status === 'pending'}
      act={gone ? null : act}
      before={before === null ? null : tAdminDeposits('before', { outcome: before })}
      rejecting={(dialog) => (
        <RejectDialog
          {...dialog}
          title={t('reject.askDeposit', { name })}
          text={t('reject.askDepositText', { sum: usd(claimed), id: row.transactionId })}
          name={name}
          onAnswer={reject}
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
          <ProposalNote proposal={proposal} own={own} disabled={state.busy} onOther={() => setAnew(true)} />
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
            disabled={!state.mayAct || state.busy}
          />
        )
      }
      onNext={onNext}
      onClose={onClose}
    />
  );
}
