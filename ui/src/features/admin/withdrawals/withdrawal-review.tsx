import type { AdminWithdrawal } from '@/api/contract';
import { CODE } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Note } from '@/components/note';
import { Input } from '@/components/ui/input';
import { groupedPhone, transactionIdOf } from '@/entities/wallet/mobile-money';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { bdt, centsFromWire, localDigits, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import type { ReviewProps } from '../queue/queue-screen';
import { ReasonDialog } from '../review/reason-dialog';
import { RequestReview } from '../review/request-review';
import { payoutSchema } from './payout-schema';
import { useWithdrawalReview } from './use-withdrawal-review';
import { WithdrawalFacts } from './withdrawal-facts';

/** A withdrawal under review: send the amount to the number, then book it as sent. */
export default function WithdrawalReview({ row, listed, eyebrow, keep, onNext, onClose }: ReviewProps<AdminWithdrawal>) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  const { send, reject, error, state } = useWithdrawalReview({ row, listed, keep });
  const { form, check, errorOf } = useDraftForm({
    schema: payoutSchema,
    t,
    empty: { transactionId: '' },
    mutation: { isPending: state.busy, error },
  });
  const name = row.user.username;
  const method = tKhata(`method.${row.paymentMethod}`);
  const sum = usd(centsFromWire(row.amount));
  const taka = bdt(centsFromWire(row.convertedAmount));
  const stopped = row.held || row.disownedAt !== null;
  // This admin may have sent the money before.
  const sentBefore = row.claimedBeforeStop && (state.claim.mine !== null || state.claim.lapsed);
  const rejectOnly = stopped && !sentBefore;
  return (
    <RequestReview
      subject={row._id}
      eyebrow={eyebrow}
      title={t('review.wants', { name, sum })}
      state={state}
      pending={row.status === 'pending'}
      act={
        rejectOnly
          ? null
          : {
              letter: 's',
              label: t('send', { sum }),
              ask: t('send.ask', { taka }),
              askText: t('send.askText', { taka, number: localDigits(groupedPhone(row.phonenumber)), method, sum, name }),
              check,
              blocked: row.onHold,
              run: () => send(transactionIdOf(form.getValues('transactionId'))),
            }
      }
      rejecting={(dialog) => (
        <ReasonDialog
          {...dialog}
          title={t('reject.askWithdrawal', { name })}
          text={t('reject.askWithdrawalText', { sum })}
          field={{ label: t('reasonRead', { name }), aside: t('optional') }}
          action={t('reject')}
          onAnswer={(reason) => reject(reason === '' ? {} : { reason })}
        />
      )}
      facts={<WithdrawalFacts row={row} />}
      fields={
        rejectOnly ? (
          <Note kind="bad">{t(row.disownedAt === null ? 'onHold' : 'disowned', { name })}</Note>
        ) : (
          <>
            {sentBefore ? <Note kind="bad">{t('sentBefore')}</Note> : null}
            {row.onHold && row.heldUntil !== null ? (
              <Note kind="wait">{t('holdsUntil', { when: formatTime(row.heldUntil, 'moment'), name })}</Note>
            ) : null}
            <MoneyInput label={t('withdrawAmount')} value={row.amount.toFixed(2)} onValue={() => undefined} readOnly />
            <FormField
              label={t('payoutId')}
              {...(sentBefore ? {} : { aside: t('optional') })}
              help={t(`payoutHelp.${row.paymentMethod}`, { name })}
              error={errorOf('transactionId')}
            >
              {(control) => (
                <Input
                  className={cn(CODE, 'uppercase')}
                  autoComplete="off"
                  autoCapitalize="characters"
                  spellCheck={false}
                  readOnly={!state.mayAct || state.busy}
                  {...control}
                  {...form.register('transactionId')}
                />
              )}
            </FormField>
            <p className="text-sm text-muted-foreground">{t('send.note')}</p>
          </>
        )
      }
      onNext={onNext}
      onClose={onClose}
    />
  );
}
