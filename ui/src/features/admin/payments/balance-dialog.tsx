import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { MoneyInput } from '@/components/money-input';
import { PendingButton } from '@/components/pending-button';
import { Dialog } from '@/components/ui/dialog';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, translate, useTexts } from '@/i18n';
import { adminPayments } from '@/i18n/en/admin';
import { parseCents } from '@/lib/amount';
import { api, send } from '@/lib/api';
import { centsToWire } from '@/lib/money';
import { notifyFailure } from '../review/use-review';

const say = (key: Key<typeof adminPayments>) => key;

const balanceSchema = z.object({
  balance: z.string().check(z.refine((typed) => parseCents(typed, 'BDT') !== null, say('enter.rule'))),
});

/** A worker sets the balance; its event refreshes the page. */
function useSetBalance(id: string, onDone: () => void) {
  return useMutation({
    mutationFn: (poisha: number) => {
      const body = { balance: centsToWire(poisha) };
      return withConfirmation(() => send(api.POST('/admin/receivers/{id}/balance', { params: { path: { id } }, body })));
    },
    meta: { success: () => translate(adminPayments, 'enter.done'), quiet: true },
    onSuccess: onDone,
    onError: (error) => notifyFailure(error, translate(adminPayments, 'enter.failed')),
  });
}

function BalanceForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTexts(adminPayments);
  const setBalance = useSetBalance(id, onDone);
  const { form, submit, errorOf } = useDraftForm({
    schema: balanceSchema,
    t,
    empty: { balance: '' },
    toast: null,
    mutation: setBalance,
    onSubmit: ({ balance }) => setBalance.mutateAsync(parseCents(balance, 'BDT') ?? 0),
  });
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <Controller
        control={form.control}
        name="balance"
        render={({ field }) => (
          <MoneyInput
            label={t('enter.label')}
            currency="BDT"
            ref={field.ref}
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            error={errorOf('balance')}
            live
          />
        )}
      />
      <PendingButton size="lg" type="submit" className="w-full" pending={setBalance.isPending}>
        {t('enter')}
      </PendingButton>
    </form>
  );
}

export default function BalanceDialog({ id, account, onClose }: { id: string; account: string; onClose: () => void }) {
  const t = useTexts(adminPayments);
  const focus = useReturnFocus();
  return (
    <Dialog open onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <DialogPanel
        title={account}
        description={t('enter.text')}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (event.currentTarget as HTMLElement | null)?.querySelector('input')?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <BalanceForm id={id} onDone={onClose} />
      </DialogPanel>
    </Dialog>
  );
}
