import type { ReactNode } from 'react';
import { DialogPanel } from '@/components/dialog-panel';
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { BackupCodes } from './backup-codes';

type Props = {
  title: string;
  description?: ReactNode;
  codes: readonly string[] | null;
  step?: string;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog that may end with new backup codes, which only the user's confirmation closes. */
export function CodesDialog({ title, description, codes, step, onClose, children }: Props) {
  const t = useTexts(security);
  if (!codes) {
    return (
      <Dialog open onOpenChange={(open) => (open ? null : onClose())}>
        <DialogPanel title={title} description={description}>
          {children}
        </DialogPanel>
      </Dialog>
    );
  }
  return (
    <Dialog open>
      <DialogContent showCloseButton={false}>
        <DialogHeader>
          {step ? <p className="text-sm text-muted-foreground">{step}</p> : null}
          <DialogTitle className="pr-0">{t('codes.title')}</DialogTitle>
          <DialogDescription>{t('codes.text')}</DialogDescription>
        </DialogHeader>
        <BackupCodes codes={codes} onSaved={onClose} />
      </DialogContent>
    </Dialog>
  );
}
