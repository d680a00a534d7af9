import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { AdminDeposit } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { translate, useTexts } from '@/i18n';
import { admin, adminDeposits } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { amountText, parseCents } from '@/lib/amount';
import { api, idempotent, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';
import { messageOf } from '@/lib/forms';
import { type Cents, centsFromWire, centsToWire, usd } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import type { ReviewProps } from '../queue/queue-screen';
import { RequestReview } from '../review/request-review';
import { Copied, UsedBefore } from '../review/review-parts';
import { useReview } from '../review/use-review';
import {
  type ApprovalValues,
  approvalSchema,
  CreditFields,
  inDollars,
  inTaka,
  isWorth,
  needsReason,
  Taka,
} from './credit-fields';
import { creditedToOther, DepositFacts, Disputes, Evidence, ProposalNote } from './deposit-facts';
import { RejectDialog, type Rejection } from './reject-dialog';

type Action =
  | { act: 'approve'; cents: Cents; reason: string; taka: string }
  | { act: 'confirm'; cents: Cents; taka: string }
  | { act: 'reject'; rejection: Rejection };

/** A refusal without a message has another text than a call that failed. */
function failureText(error: unknown, act: Action['act']): string {
  if (act === 'reject') return translate(admin, 'toast.depositRejectFailed');
  const answered = error instanceof ApiError && error.status > 0 && error.status < 500;
  return translate(admin, answered ? 'toast.approveRefused' : 'toast.approveFailed');
}

/** The taka received, if the admin had to type them. */
function received(taka: string): { receivedTaka?: number } {
  const poisha = parseCents(taka, 'BDT');
  return poisha === null ? {} : { receivedTaka: centsToWire(poisha) };
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
        const body = { amount: centsToWire(action.cents), ...received(action.taka) };
        return send(api.POST('/admin/deposits/{id}/confirm', { params, body, headers }));
      }
      const { cents, reason, taka } = action;
      const body = {
        ...{ amount: centsToWire(cents), userId: row.user._id },
        ...(reason === '' ? {} : { reason }),
        ...received(taka),
      };
      return send(api.POST('/admin/deposit/approve/{id}', { params, body, headers }));
    },
    success: (done, act) =>
      act === 'reject' ? translate(admin, 'toast.depositRejected') : outcomeText(done, translate(admin, 'toast.approved')),
    failure: failureText,
    outcome: ({ outcome }, action) => {
      const name = row.user.username;
      if (action.act === 'reject') {
        return translate(admin, 'reject.doneDeposit', { name, sum: usd(centsFromWire(row.claimedAmount)) });
      }
      const sum = usd(action.cents);
      return translate(admin, outcome === 'credit_proposed' ? 'confirm.proposed' : 'approve.done', { sum, name });
    },
    onDecided,
  });
  return { review, own };
}

type Props = ReviewProps<AdminDeposit> & {
  /** Larger credits need a second admin; 0 for none. */
  secondAbove: Cents;
  /** For larger credits the admin types the taka received. */
  takaAbove: Cents;
  /** The result of the previous deposit, which opened this one. */
  before: string | null;
  onDecided: (outcome: string) => void;
};

/** Ignores the second click of a double click on the previous deposit, in milliseconds. */
export const DOUBLE_CLICK_TIME = 700;

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

/** What is filled in: what an SMS proves, or else what was reported, but no large sum in taka. */
function filledIn({ evidence, creditAmount, creditRate }: AdminDeposit, large: boolean) {
  if (evidence?.state === 'chained' || evidence?.state === 'paid') {
    const taka = amountText(centsFromWire(evidence.amount));
    return { amount: inDollars(taka, creditRate), taka, typed: 'bdt' as const };
  }
  const amount = creditAmount.toFixed(2);
  return { amount, taka: large ? '' : inTaka(amount, creditRate), typed: 'usd' as const };
}

export default function DepositReview(props: Props) {
  const { row, listed, eyebrow, keep, onNext, onClose, secondAbove, takaAbove, before, onDecided } = props;
  const t = useTexts(admin);
  const tAdminDeposits = useTexts(adminDeposits);
  const tKhata = useTexts(khata);
  const touchable = useTouchable(before !== null);
  const { review, own } = useDepositReview({ row, listed, keep, onDecided });
  const [anew, setAnew] = useState(false);
  const claimed = centsFromWire(row.claimedAmount);
  const rates = [row.creditRate, row.rate];
  const worthCents = centsFromWire(row.creditAmount);
  const large = Math.max(claimed, worthCents) > takaAbove;
  const due = { claimed, worth: worthCents, rates: large ? rates : undefined };
  const filled: ApprovalValues = { ...filledIn(row, large), again: '', reason: '' };
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
  const typesTaka = proposed !== null && proposed > takaAbove;
  const sum = usd(proposed ?? cents);
  const toApprove = {
    letter: 'a' as const,
    guarded: !touchable,
    label: cents > 0 ? t('approve', { sum }) : t('approvePlain'),
    ask: t('approve.ask', { sum }),
    askText: t(secondAbove > 0 && cents > secondAbove ? 'approve.askSecond' : 'approve.askText', { name, sum }),
    check,
    run: () => {
      const { reason, taka } = form.getValues();
      const typed = cents > takaAbove ? taka : '';
      review.run({ act: 'approve', cents, reason: needsReason(cents, due) ? reason.trim() : '', taka: typed });
    },
  };
  const toConfirm = {
    ...toApprove,
    label: t('confirm', { sum }),
    ask: t('confirm.ask', { sum }),
    askText: t('approve.askText', { name, sum }),
    check: (then: () => void) => {
      if (!typesTaka || isWorth(form.getValues('taka'), proposed, rates)) then();
      else form.setError('taka', { message: 'rule.received' }, { shouldFocus: true });
    },
    run: () => review.run({ act: 'confirm', cents: proposed ?? 0, taka: typesTaka ? form.getValues('taka') : '' }),
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
      before={before}
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
          <Evidence row={row} />
          <Disputes disputes={row.disputes} />
          <DepositFacts row={row} />
        </>
      }
      fields={
        gone ? null : proposal ? (
          <>
            <ProposalNote proposal={proposal} own={own} disabled={review.busy} onOther={() => setAnew(true)} />
            {typesTaka && !own ? (
              <Taka
                control={form.control}
                error={messageOf(t, form.formState.errors.taka)}
                help={tAdminDeposits('takaHelp')}
                onTaka={(taka) => {
                  form.setValue('taka', taka);
                  form.clearErrors('taka');
                }}
                disabled={!review.mayAct || review.busy}
              />
            ) : null}
          </>
        ) : (
          <CreditFields
            control={form.control}
            errors={form.formState.errors}
            due={due}
            rate={row.creditRate}
            onTyped={(typed, values) => {
              if (typed !== null) form.setValue('typed', typed);
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
