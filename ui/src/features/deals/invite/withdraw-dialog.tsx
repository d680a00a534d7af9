import type { DealInvite } from '@/api/contract';
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
import { invite as catalogue } from '@/i18n/en/invite';
import { useWithdraw } from './queries';

export function WithdrawDialog({ invite, onClose }: { invite: DealInvite | null; onClose: () => void }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const withdraw = useWithdraw(onClose);
  return (
    <AlertDialog open={invite !== null} onOpenChange={(open) => open || onClose()}>
      <AlertDialogContent className="xs:w-120">
        <AlertDialogHeader>
          <AlertDialogTitle>{t('withdrawAsk')}</AlertDialogTitle>
          <AlertDialogDescription>{t('withdrawText')}</AlertDialogDescription>
        </AlertDialogHeader>
        <AlertDialogFooter className="mt-5 gap-2 max-xs:*:flex-auto">
          <PendingButton
            variant="destructive"
            pending={withdraw.isPending}
            pendingText={tCommon('sending')}
            onClick={() => invite && withdraw.mutate(invite.code)}
          >
            {t('withdraw')}
          </PendingButton>
          <AlertDialogCancel>{t('keep')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
