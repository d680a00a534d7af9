import { useForm, useWatch } from 'react-hook-form';
import type { AdminDeposit } from '@/api/contract';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { firstMessage } from '@/lib/forms';
import { centsFromWire, parseCents, usd } from '@/lib/money';
import { notify } from '@/lib/toast';
import { APPROVAL_FIELDS, type ApprovalValues, approvalResolver } from './approval';
import { CreditFields } from './credit-fields';
import { DepositFacts } from './deposit-facts';
import type { ReviewProps } from './queue-screen';
import { Review } from './review';
import { Copied, UsedBefore } from './review-parts';
import { useDepositReview } from './use-deposit-review';

function useApprovalForm(claimed: number) {
  const t = useTexts(admin);
  const form = useForm<ApprovalValues>({
    resolver: approvalResolver(claimed),
    defaultValues: { amount: (claimed / 100).toFixed(2), again: '', reason: '' },
  });
  const cents = parseCents(useWatch({ control: form.control, name: 'amount' })) ?? 0;
  const check = (then: () => void) =>
    void form.handleSubmit(then, (errors) => notify.error(firstMessage(t, errors, APPROVAL_FIELDS)))();
  return { form, cents, check };
}

/** The review of one deposit: is the payment real, and how much is credited? */
export function DepositReview({ row, listed, eyebrow, keep, onNext, onClose }: ReviewProps<AdminDeposit>) {
  const t = useTexts(admin);
  const k = useTexts(khata);
  const { approve, reject, state } = useDepositReview(row, listed, keep);
  const claimed = centsFromWire(row.claimedAmount);
  const { form, cents, check } = useApprovalForm(claimed);
  const name = row.user.username;
  const sum = usd(cents);
  const run = () => approve({ cents, reason: cents === claimed ? '' : form.getValues('reason').trim() });
  return (
    <Review
      subject={row._id}
      eyebrow={eyebrow}
      title={t('review.claims', { name, sum: usd(claimed) })}
      state={state}
      pending={row.status === 'pending'}
      name={name}
      act={{
        letter: 'a',
        label: cents > 0 ? t('approve', { sum }) : t('approvePlain'),
        ask: t('approve.ask', { sum }),
        askText: t('approve.askText', { name, sum }),
        check,
        run,
      }}
      reject={{
        ask: t('reject.askDeposit', { name }),
        askText: t('reject.askDepositText', { sum: usd(claimed), id: row.transactionId }),
        run: reject,
      }}
      facts={
        <>
          <Copied
            label={t('transactionOf', { method: k(`method.${row.paymentMethod}`) })}
            value={row.transactionId}
            what={t('copy.transaction')}
            done={t('transactionCopied')}
          />
          <UsedBefore times={row.sameTransactionId} />
          <DepositFacts row={row} />
        </>
      }
      fields={
        <CreditFields
          control={form.control}
          errors={form.formState.errors}
          claimed={claimed}
          rate={row.rate}
          name={name}
          disabled={!state.mayAct || state.busy}
        />
      }
      onNext={onNext}
      onClose={onClose}
    />
  );
}
