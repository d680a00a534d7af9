import { ConfirmationDialog } from '@/entities/user/second-factor/confirmation-dialog';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';

/** Asks for the password, and the second factor where it is on, before that is changed. A lazy chunk. */
export default function Confirmation() {
  const t = useTexts(security);
  return <ConfirmationDialog text={t('confirmText')} />;
}
