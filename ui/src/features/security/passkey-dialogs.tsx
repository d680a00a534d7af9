import { useState } from 'react';
import type { Passkey } from '@/api/contract';
import { DialogPanel } from '@/components/dialog-panel';
import { Dialog } from '@/components/ui/dialog';
import { useBrowserName } from '@/entities/user/browser-name';
import { isDeviceFailure, PasskeyKnown } from '@/entities/user/second-factor/passkey';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { CodesDialog } from './backup-codes';
import { ConfirmRemoval } from './confirm-removal';
import { NameForm } from './name-form';
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './queries';

/** Names and creates a passkey, and shows the backup codes that come with the first one. */
function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = useTexts(security);
  const suggestion = useBrowserName(navigator.userAgent) ?? '';
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = useAddPasskey((made) => (made ? setCodes(made) : onClose()));
  const known = add.error instanceof PasskeyKnown;
  return (
    <CodesDialog title={t('add.title')} description={t('add.text')} codes={codes} onClose={onClose}>
      <NameForm
        name={suggestion}
        submitText={t('add.submit')}
        mutation={add}
        failureText={known ? t('add.known') : isDeviceFailure(add.error) ? t('add.failed') : undefined}
        onCancel={onClose}
      />
    </CodesDialog>
  );
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTexts(security);
  const rename = useRenamePasskey(passkey._id, onClose);
  return (
    <Dialog open onOpenChange={(open) => (open ? null : onClose())}>
      <DialogPanel title={t('rename.title')}>
        <NameForm name={passkey.name} submitText={t('rename.submit')} mutation={rename} onCancel={onClose} />
      </DialogPanel>
    </Dialog>
  );
}

function RemovePasskey({ passkey, last, onClose }: { passkey: Passkey; last: boolean; onClose: () => void }) {
  const t = useTexts(security);
  return (
    <ConfirmRemoval
      title={t('remove.title', { name: passkey.name })}
      yes={t('remove.yes')}
      no={t('keep')}
      mutation={useRemovePasskey(passkey._id, onClose)}
      onClose={onClose}
    >
      {t(last ? 'off.last' : 'off.otherApp')} {t('off.others')}
    </ConfirmRemoval>
  );
}

export type PasskeyTask = { task: 'add' } | { task: 'rename' | 'remove'; passkey: Passkey };

type Props = {
  open: PasskeyTask;
  last: boolean;
  onClose: () => void;
};

export default function PasskeyDialogs({ open, last, onClose }: Props) {
  if (open.task === 'add') return <AddPasskey onClose={onClose} />;
  if (open.task === 'rename') return <RenamePasskey passkey={open.passkey} onClose={onClose} />;
  return <RemovePasskey passkey={open.passkey} last={last} onClose={onClose} />;
}
