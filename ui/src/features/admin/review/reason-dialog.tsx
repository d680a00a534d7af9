import { Ban } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { ConfirmDialog } from './confirm-dialog';
import { ReasonField } from './reason-field';

type Props = Pick<ComponentProps<typeof ConfirmDialog>, 'open' | 'onOpenChange' | 'title' | 'text'> & {
  /** Over the field, and beside or below it. */
  field: Pick<ComponentProps<typeof ReasonField>, 'label' | 'aside' | 'help' | 'maxLength'>;
  /** What is said where a reason is needed and missing; without it the reason may be left out. */
  missing?: string;
  /** The verb on the button. */
  action: string;
  variant?: ComponentProps<typeof Button>['variant'];
  busy: boolean;
  busyText?: string;
  onAnswer: (reason: string) => void;
};

/** Asks before an admin decides something about a user, and for words that the user reads. They stay when it fails. */
export function ReasonDialog({ field, missing, action, variant = 'destructive', busy, busyText, onAnswer, ...question }: Props) {
  const c = useTexts(common);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const answer = (field: HTMLTextAreaElement | null) => {
    const given = reason.trim();
    const refused = missing !== undefined && given === '';
    setMissing(refused);
    if (refused) field?.focus();
    else onAnswer(given);
  };
  return (
    <ConfirmDialog
      {...question}
      fields={(focus) => (
        <ReasonField
          {...field}
          live
          ref={focus}
          error={isMissing ? missing : undefined}
          value={reason}
          onChange={({ target }) => {
            setReason(target.value);
            setMissing(false);
          }}
        />
      )}
      act={(focus, textarea) => (
        <PendingButton
          ref={focus}
          variant={variant}
          pending={busy}
          pendingText={busyText ?? c('sending')}
          onClick={() => answer(textarea.current)}
        >
          {variant === 'destructive' ? <Ban aria-hidden="true" /> : null}
          {action}
        </PendingButton>
      )}
    />
  );
}
