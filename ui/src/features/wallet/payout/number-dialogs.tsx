import type { PayoutNumber } from '@/api/contract';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { payout } from '@/i18n/en/payout';
import { isApiError } from '@/lib/errors';
import { localDigits } from '@/lib/money';
import { nameSchema } from './name-schema';
import { useRemoveNumber, useRenameNumber } from './payout-numbers';

type Props = { number: PayoutNumber; onClose: () => void };

function RenameForm({ number, onClose }: Props) {
  const t = useTexts(payout);
  const tCommon = useTexts(common);
  const rename = useRenameNumber(number._id, onClose);
  const { form, submit, errorOf } = useDraftForm({
    schema: nameSchema,
    t,
    empty: { name: number.name },
    toast: null,
    mutation: rename,
    onSubmit: (values) => rename.mutateAsync(values),
  });
  const placed = isApiError(rename.error) && rename.error.fields.name !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <FormField label={t('name')} error={errorOf('name')} live>
        {(control) => <Input autoComplete="off" {...control} {...form.register('name')} />}
      </FormField>
      <Failure error={placed ? null : rename.error} />
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <PendingButton type="submit" pending={rename.isPending} pendingText={tCommon('sending')}>
          {t('rename.submit')}
        </PendingButton>
        <Button variant="outline" onClick={onClose}>
          {tCommon('cancel')}
        </Button>
      </div>
    </form>
  );
}

function Rename({ number, onClose }: Props) {
  const t = useTexts(payout);
  const focus = useReturnFocus();
  return (
    <Dialog open onOpenChange={(open) => (open ? null : onClose())}>
      <DialogPanel
        title={t('rename.title', { number: localDigits(groupedPhone(number.phoneNumber)) })}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.giveBack}
      >
        <RenameForm number={number} onClose={onClose} />
      </DialogPanel>
    </Dialog>
  );
}

function Remove({ number, onClose }: Props) {
  const t = useTexts(payout);
  const tCommon = useTexts(common);
  const tKhata = useTexts(khata);
  const focus = useReturnFocus();
  const { mutate, isPending, error } = useRemoveNumber(number._id, onClose);
  const { name, paymentMethod, phoneNumber } = number;
  return (
    <AlertDialog open onOpenChange={(open) => (open || isPending ? null : onClose())}>
      <AlertDialogContent className="wrap-anywhere" onOpenAutoFocus={focus.remember} onCloseAutoFocus={focus.giveBack}>
        <AlertDialogHeader>
          <AlertDialogTitle>{t('remove.title', { name })}</AlertDialogTitle>
          <AlertDialogDescription>
            {t('remove.text', { method: tKhata(`method.${paymentMethod}`), number: localDigits(groupedPhone(phoneNumber)) })}
          </AlertDialogDescription>
        </AlertDialogHeader>
        <div className="mt-4 empty:hidden [&:has(>:empty)]:hidden">
          <Failure error={error} />
        </div>
        <AlertDialogFooter>
          <PendingButton variant="destructive" pending={isPending} pendingText={tCommon('sending')} onClick={() => mutate()}>
            {t('remove.yes')}
          </PendingButton>
          <AlertDialogCancel disabled={isPending}>{t('remove.no')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}

export type NumberTask = { task: 'rename' | 'remove'; number: PayoutNumber };

export function NumberDialogs({ open: { task, number }, onClose }: { open: NumberTask; onClose: () => void }) {
  return task === 'rename' ? <Rename number={number} onClose={onClose} /> : <Remove number={number} onClose={onClose} />;
}
