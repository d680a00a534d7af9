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
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { depositFollow } from '@/i18n/en/deposit-follow';
import { useRetract } from './use-retract';

type Props = { id: string; transactionId: string; onClose: () => void };

export default function RetractDialog({ id, transactionId, onClose }: Props) {
  const t = useTexts(depositFollow);
  const tCommon = useTexts(common);
  const { mutate, isPending } = useRetract(id, onClose);
  return (
    <AlertDialog open onOpenChange={(open) => (open || isPending ? null : onClose())}>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{t('retract.ask')}</AlertDialogTitle>
          <AlertDialogDescription>{t('retract.text', { id: transactionId })}</AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter className="mt-0">
          <PendingButton variant="destructive" pending={isPending} pendingText={tCommon('sending')} onClick={() => mutate()}>
            {t('retract.yes')}
          </PendingButton>
          <AlertDialogCancel disabled={isPending}>{t('retract.no')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
