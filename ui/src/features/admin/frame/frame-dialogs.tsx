import type { ComponentProps } from 'react';
import { Confirmation } from '@/entities/user/second-factor/confirmation-prompt';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { RateDialog } from '../rate/rate-dialog';
import { ShortcutsDialog } from '../shortcuts/shortcuts-dialog';
import { SideSheet } from './side-sheet';

type Props = {
  open: 'rate' | 'keys' | null;
  onClose: () => void;
  side: ComponentProps<typeof SideSheet>;
};

export default function FrameDialogs({ open, onClose, side }: Props) {
  const t = useTexts(admin);
  return (
    <>
      <SideSheet {...side} />
      <RateDialog open={open === 'rate'} onClose={onClose} />
      <ShortcutsDialog open={open === 'keys'} onClose={onClose} />
      <Confirmation text={t('confirmText')} />
    </>
  );
}
