import { PasswordDialog } from '../password/password-dialog';
import { RateDialog } from '../rate/rate-dialog';
import { ShortcutsDialog } from '../shortcuts/shortcuts-dialog';

type Props = {
  /** Which of those that the menu opens is open. */
  open: 'rate' | 'keys' | null;
  onClose: () => void;
};

/** The dialogs that any page of the admin area can open. */
export default function FrameDialogs({ open, onClose }: Props) {
  return (
    <>
      <RateDialog open={open === 'rate'} onClose={onClose} />
      <ShortcutsDialog open={open === 'keys'} onClose={onClose} />
      <PasswordDialog />
    </>
  );
}
