import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Controller, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { MoneyInput } from '@/components/money-input';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Dialog } from '@/components/ui/dialog';
import { keys } from '@/entities/keys';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, translate, useTexts } from '@/i18n';
import { adminCorrections } from '@/i18n/en/admin';
import { parseCents } from '@/lib/amount';
import { api, idempotent, send } from '@/lib/api';
import { centsFromWire, centsToWire, usd } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { ReasonField } from '../review/reason-dialog';
import { notifyFailure } from '../review/use-review';
import { userQuery } from '../users/queries';
import { UserPicker } from '../users/user-picker';
import { correctionQuery } from './queries';

const LONGEST_REASON = 200;
const LONGEST_NOTE = 500;

const say = (key: Key<typeof adminCorrections>) => key;

/** docs/rules.md#corrections */
const proposeSchema = z.object({
  userId: z.string().check(z.minLength(1, say('rule.user'))),
  direction: z.enum(['credit', 'debit']),
  amount: z.string().check(z.refine((typed) => (parseCents(typed) ?? 0) > 0, say('rule.amount'))),
  reason: z.string().check(
    z.trim(),
    z.minLength(1, say('rule.reason')),
    z.refine((reason) => lengthOf(reason) <= LONGEST_REASON, say('rule.long')),
  ),
  note: z.string().check(z.trim()),
});

type ProposalValues = z.infer<typeof proposeSchema>;

type Proposal = Omit<ProposalValues, 'amount'> & { amount: number };

function Balances({ userId, cents }: { userId: string; cents: number }) {
  const t = useTexts(adminCorrections);
  const { data: user } = useQuery({ ...userQuery(userId), enabled: userId !== '' });
  if (userId === '' || !user) return null;
  const before = centsFromWire(user.wallet);
  const after = before + cents;
  return (
    <>
      <Facts
        rows={[
          [t('balanceNow'), usd(before)],
          [t('balanceAfter'), after < 0 ? '–' : usd(after)],
        ]}
      />
      <div role="status" aria-live="polite" className="empty:absolute">
        {after < 0 ? <Note kind="bad">{t('below')}</Note> : null}
      </div>
    </>
  );
}

function ProposeForm({ userId = '', onDone }: { userId: string | undefined; onDone: () => void }) {
  const t = useTexts(adminCorrections);
  const queryClient = useQueryClient();
  const propose = useMoneyAction<Proposal>({
    call: async (body, key) => {
      const answer = await withConfirmation(() => send(api.POST('/admin/corrections', { body, headers: idempotent(key) })));
      queryClient.setQueryData(correctionQuery(answer.correction._id).queryKey, answer.correction);
      return answer;
    },
    success: () => translate(adminCorrections, 'toast.proposed'),
    quiet: true,
    refresh: [keys.adminCorrections],
    onDone,
    onFailed: (error) => notifyFailure(error, translate(adminCorrections, 'toast.proposeFailed')),
  });
  const { form, submit, errorOf } = useDraftForm<ProposalValues>({
    schema: proposeSchema,
    t,
    empty: { userId, direction: 'credit', amount: '', reason: '', note: '' },
    toast: null,
    mutation: propose,
    onSubmit: ({ amount, ...rest }) => propose.runAsync({ ...rest, amount: centsToWire(parseCents(amount) ?? 0) }),
  });
  const { control, register } = form;
  const [chosen, direction, typed] = useWatch({ control, name: ['userId', 'direction', 'amount'] });
  const cents = parseCents(typed) ?? 0;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <Controller
        control={control}
        name="userId"
        render={({ field }) => (
          <UserPicker
            label={t('propose.who')}
            value={field.value || undefined}
            onValue={(id) => field.onChange(id ?? '')}
            error={errorOf('userId')}
          />
        )}
      />
      <ChoiceGroup legend={t('direction')}>
        <div className="flex flex-wrap gap-x-6">
          <Choice label={t('credit')} value="credit" {...register('direction')} />
          <Choice label={t('debit')} value="debit" {...register('direction')} />
        </div>
      </ChoiceGroup>
      <Controller
        control={control}
        name="amount"
        render={({ field }) => (
          <MoneyInput
            label={t('amount')}
            ref={field.ref}
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            error={errorOf('amount')}
            live
          />
        )}
      />
      <Balances userId={chosen} cents={direction === 'debit' ? -cents : cents} />
      <ReasonField
        label={t('reason.label')}
        rows={2}
        maxLength={LONGEST_REASON}
        live
        error={errorOf('reason')}
        {...register('reason')}
      />
      <ReasonField
        label={t('note.label')}
        aside={t('optional')}
        rows={2}
        maxLength={LONGEST_NOTE}
        error={errorOf('note')}
        {...register('note')}
      />
      <PendingButton size="lg" type="submit" className="w-full" pending={propose.isPending}>
        {t('propose.send')}
      </PendingButton>
    </form>
  );
}

export default function ProposeDialog({ userId, onClose }: { userId: string | undefined; onClose: () => void }) {
  const t = useTexts(adminCorrections);
  const focus = useReturnFocus();
  return (
    <Dialog open onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <DialogPanel
        title={t('propose')}
        description={t('propose.text')}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (event.currentTarget as HTMLElement | null)?.querySelector('input')?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <ProposeForm userId={userId} onDone={onClose} />
      </DialogPanel>
    </Dialog>
  );
}
