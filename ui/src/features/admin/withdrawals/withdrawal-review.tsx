import { CircleCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { AdminWithdrawal } from '@/api/contract';
import { CODE } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { keys } from '@/entities/keys';
import { useAutomatic } from '@/entities/wallet/deposits';
import { groupedPhone, isTransactionId, plainTaka, transactionIdOf } from '@/entities/wallet/mobile-money';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { copyText } from '@/lib/copy';
import { ApiError, errorText } from '@/lib/errors';
import { bdt, centsFromWire, localDigits, toPoisha, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import type { ReviewProps } from '../queue/queue-screen';
import { ReasonDialog } from '../review/reason-dialog';
import { RequestReview } from '../review/request-review';
import { Copied, HandledRows, historyText, PersonLink } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { useShortcuts } from '../shortcuts/shortcuts';

const say = (key: Key<typeof admin>): Key<typeof admin> => key;

function isPayoutId(typed: string): boolean {
  const id = transactionIdOf(typed);
  return id === '' || isTransactionId(id);
}

const payoutSchema = z.object({ transactionId: z.string().check(z.refine(isPayoutId, say('rule.transactionId'))) });

type Action = { act: 'send'; transactionId: string; differs: boolean } | { act: 'reject'; reason: string };

function useWithdrawalReview({ row, listed, keep }: Pick<ReviewProps<AdminWithdrawal>, 'row' | 'listed' | 'keep'>) {
  const params = { path: { id: row._id } };
  return useReview<AdminWithdrawal, Action>({
    list: keys.adminWithdrawals,
    name: 'withdrawal',
    row,
    onRow: keep,
    claim: { listed, openedAt: row.claimedAt, call: () => send(api.POST('/admin/withdrawals/{id}/claim', { params })) },
    follow: ({ kind }) => (kind === 'withdrawal_reject' ? 'reject' : 'send'),
    call: (action, key) => {
      const headers = idempotent(key);
      if (action.act === 'reject') {
        const body = action.reason === '' ? {} : { reason: action.reason };
        return send(api.POST('/admin/withdrawals/{id}/reject', { params, body, headers }));
      }
      const { transactionId, differs } = action;
      const body = {
        ...{ amount: row.amount, ...(transactionId === '' ? {} : { transactionId }) },
        ...(differs ? { differs } : {}),
      };
      return send(api.POST('/admin/withdrawals/{id}/send', { params, body, headers }));
    },
    success: (_, act) => translate(admin, act === 'send' ? 'toast.sent' : 'toast.withdrawalRejected'),
    failure: (_, act) => translate(admin, act === 'send' ? 'toast.sendFailed' : 'toast.withdrawalRejectFailed'),
    outcome: (_, { act }) =>
      translate(admin, act === 'send' ? 'send.done' : 'reject.doneWithdrawal', {
        name: row.user.username,
        sum: usd(centsFromWire(row.amount)),
        taka: bdt(centsFromWire(row.convertedAmount)),
      }),
  });
}

/** After this time without an SMS, the admin is asked for the transaction ID, in milliseconds. */
const SMS_TIME = 10 * 60_000;

/**
 * Whether the SMS of a payout books it: "waits" from when an admin has opened it, "overdue" when it
 * has not come, null if no phone forwards one.
 */
function useSms({ status, paymentMethod, claimedAt }: AdminWithdrawal): 'waits' | 'overdue' | null {
  const automatic = useAutomatic();
  const now = useNow();
  if (status !== 'pending' || !automatic(paymentMethod)) return null;
  return claimedAt !== null && now - Date.parse(claimedAt) >= SMS_TIME ? 'overdue' : 'waits';
}

const DAY = 24 * 3_600_000;

/** Reports whether the password was reset by mail in the day before. */
function wasReset({ heldReasons, passwordResetAt, requestedAt }: AdminWithdrawal): boolean {
  if (heldReasons.includes('password_reset')) return true;
  if (passwordResetAt === null) return false;
  const since = Date.parse(requestedAt) - Date.parse(passwordResetAt);
  return since >= 0 && since < DAY;
}

/** Rare changes of the account, shown only if they happened. */
const SINCE = ['factor_reset', 'factor_added', 'email_changed'] as const;

/** Signs of an account takeover. */
function WithdrawalChecklist({ row }: { row: AdminWithdrawal }) {
  const t = useTexts(admin);
  const name = row.user.username;
  const reset = wasReset(row);
  const newBrowser = row.heldReasons.includes('new_browser');
  const at = (moment: string) => formatTime(moment, 'moment');
  const facts: { key: string; good: boolean; text: string }[] = [
    {
      key: 'number',
      good: row.sentToNumber > 0,
      text: row.sentToNumber > 0 ? t('fact.known_number', { count: row.sentToNumber }) : t('fact.new_number', { name }),
    },
    { key: 'reset', good: !reset, text: t(reset ? 'fact.password_reset' : 'fact.no_reset') },
    ...SINCE.filter((reason) => row.heldReasons.includes(reason)).map((reason) => ({
      ...{ key: reason, good: false },
      text: t(`fact.${reason}`),
    })),
    // Without any reason nothing may have been recorded, so a missing one proves no known browser.
    ...(row.heldReasons.length === 0
      ? []
      : [{ key: 'browser', good: !newBrowser, text: newBrowser ? t('fact.new_browser') : t('fact.known_browser', { name }) }]),
    { key: 'verified', good: row.isVerified, text: t(row.isVerified ? 'fact.verified' : 'fact.unverified') },
    { key: 'since', good: true, text: t('fact.since', { when: formatTime(row.userSince, 'day') }) },
  ];
  if (row.disownedAt !== null) {
    facts.push({ key: 'disowned', good: false, text: t('fact.disowned', { name, when: at(row.disownedAt) }) });
  }
  if (row.confirmedAt !== null) {
    facts.push({ key: 'hold', good: true, text: t('fact.confirmed', { name, when: at(row.confirmedAt) }) });
  } else if (row.onHold && row.heldUntil !== null) {
    facts.push({ key: 'hold', good: false, text: t('fact.held', { when: at(row.heldUntil) }) });
  }
  if (row.cancelledAt !== null) {
    facts.push({ key: 'cancelled', good: false, text: t('fact.cancelled', { name, when: at(row.cancelledAt) }) });
  }
  return (
    <section>
      <h3 className="font-semibold">{t('before')}</h3>
      <ul className="mt-2 grid gap-1.5">
        {facts.map(({ key, good, text }) => (
          <li key={key} data-good={good} className="grid grid-cols-[20px_minmax(0,1fr)] items-start gap-2">
            {good ? (
              <CircleCheck className="mt-0.75 size-4.5 text-muted-foreground" aria-hidden="true" />
            ) : (
              <TriangleAlert className="mt-0.75 size-4.5 text-destructive" aria-hidden="true" />
            )}
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WithdrawalFacts({ row, hint }: { row: AdminWithdrawal; hint: ReactNode }) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  const tKhata = useTexts(khata);
  const waits = row.status === 'pending';
  const poisha = centsFromWire(row.convertedAmount);
  useShortcuts({
    n: () => void copyText(row.phonenumber, t('numberCopied')),
    t: () => void copyText(plainTaka(poisha), t('takaCopied')),
  });
  const { evidence } = row;
  return (
    <>
      <div>
        <Copied
          label={t('sendTo', { method: tKhata(`method.${row.paymentMethod}`) })}
          value={row.phonenumber}
          shown={localDigits(groupedPhone(row.phonenumber))}
          what={t('copy.number')}
          done={t('numberCopied')}
        />
        <Copied label={t('exactly')} value={plainTaka(poisha)} shown={bdt(poisha)} what={t('copy.taka')} done={t('takaCopied')} />
      </div>
      {hint}
      {waits && evidence ? (
        <Note kind="bad">
          {t('sms.left', { taka: bdt(centsFromWire(evidence.amount)), when: formatTime(evidence.at, 'moment') })}
        </Note>
      ) : null}
      <Facts
        rows={[
          ...(waits ? [] : [[t('amount'), usd(centsFromWire(row.amount))] as const]),
          [t('rateWhenAsked'), tCommon('rate', { taka: bdt(toPoisha(100, row.rate)) })],
          [t('askedFor'), formatTime(row.requestedAt, 'moment')],
          [
            t('user'),
            <>
              <PersonLink person={row.user} />, {historyText(t, 'withdrawals', row.history)}
            </>,
          ],
        ]}
      />
      <WithdrawalChecklist row={row} />
      {waits ? null : (
        <>
          <p>
            <RequestBadge status={row.status} />
          </p>
          <HandledRows
            row={row}
            more={[
              ...(row.transactionId ? [[t('payoutId'), row.transactionId] as const] : []),
              ...(evidence
                ? [[t('sms'), `${bdt(centsFromWire(evidence.amount))}, ${formatTime(evidence.at, 'moment')}`] as const]
                : []),
            ]}
          />
        </>
      )}
    </>
  );
}

/** A withdrawal under review: send the amount to the number, then book it as sent. */
export default function WithdrawalReview({ row, listed, eyebrow, keep, onNext, onClose }: ReviewProps<AdminWithdrawal>) {
  const t = useTexts(admin);
  const tKhata = useTexts(khata);
  const review = useWithdrawalReview({ row, listed, keep });
  const { form, check, errorOf } = useDraftForm({
    schema: payoutSchema,
    t,
    empty: { transactionId: '' },
    mutation: { isPending: review.busy, error: review.errorOf('send') },
  });
  const sms = useSms(row);
  const [byHand, setByHand] = useState(false);
  const [opened] = useState(row.status);
  const [tried, setTried] = useState('');
  const refusal = review.errorOf('send');
  const typed = transactionIdOf(useWatch({ control: form.control, name: 'transactionId' }));
  const differs = refusal instanceof ApiError && refusal.reason === 'payout_differs' && typed === tried;
  const name = row.user.username;
  const method = tKhata(`method.${row.paymentMethod}`);
  const sum = usd(centsFromWire(row.amount));
  const taka = bdt(centsFromWire(row.convertedAmount));
  const stopped = row.held || row.disownedAt !== null;
  // This admin may have sent the money before.
  const sentBefore = row.claimedBeforeStop && (review.claim.mine !== null || review.claim.lapsed);
  const rejectOnly = stopped && !sentBefore;
  const waits = sms === 'waits' && !byHand && !rejectOnly && !sentBefore && !row.onHold;
  return (
    <RequestReview
      subject={row._id}
      eyebrow={eyebrow}
      title={t('review.wants', { name, sum })}
      review={review}
      before={opened === 'pending' && row.status === 'completed' ? t('send.done', { name, taka }) : null}
      pending={opened === 'pending'}
      passable={sms !== null}
      act={
        rejectOnly || waits
          ? null
          : {
              letter: 's',
              label: differs ? t('send.anyway') : t('send', { sum }),
              ask: t('send.ask', { taka }),
              askText: t('send.askText', { taka, number: localDigits(groupedPhone(row.phonenumber)), method, sum, name }),
              check,
              blocked: row.onHold,
              run: () => {
                setTried(typed);
                review.run({ act: 'send', transactionId: typed, differs });
              },
            }
      }
      rejecting={(dialog) => (
        <ReasonDialog
          {...dialog}
          title={t('reject.askWithdrawal', { name })}
          text={t('reject.askWithdrawalText', { sum })}
          field={{ label: t('reasonRead', { name }), aside: t('optional') }}
          action={t('reject')}
          onAnswer={(reason) => review.run({ act: 'reject', reason })}
        />
      )}
      facts={
        <WithdrawalFacts
          row={row}
          hint={
            waits && review.mayAct ? (
              <p>
                {t('sms.waits', { method })}{' '}
                <Button variant="link" onClick={() => setByHand(true)}>
                  {t('sms.byHand')}
                </Button>
              </p>
            ) : null
          }
        />
      }
      fields={
        rejectOnly ? (
          <Note kind="bad">{t(row.disownedAt === null ? 'onHold' : 'disowned', { name })}</Note>
        ) : waits ? null : (
          <>
            {sms === 'overdue' && !sentBefore ? <Note kind="wait">{t('sms.overdue')}</Note> : null}
            {differs ? <Note kind="bad">{errorText(refusal)}</Note> : null}
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
                  readOnly={!review.mayAct || review.busy}
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
