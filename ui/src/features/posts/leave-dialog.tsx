import { AlertDialog, AlertDialogCancel, AlertDialogContent } from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';

/** The question of `LeaveQuestion`. A lazy chunk: it is asked when something unsaved is left. */
export function LeaveDialog({ open, onLeave, onStay }: { open: boolean; onLeave: () => void; onStay: () => void }) {
  const t = useTexts(postForm);
  return (
    <AlertDialog open={open} onOpenChange={(wanted) => (wanted ? undefined : onStay())}>
      <AlertDialogContent title={t('leave.title')} description={t('leave.text')}>
        <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
          <Button onClick={onLeave}>{t('leave.yes')}</Button>
          <AlertDialogCancel asChild>
            <Button variant="outline">{t('leave.no')}</Button>
          </AlertDialogCancel>
        </div>
      </AlertDialogContent>
    </AlertDialog>
  );
}
