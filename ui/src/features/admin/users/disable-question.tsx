import { Ban } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';
import { common } from '@/i18n/en/common';
import { Question } from '../question';

/** The server's bound. */
const MAX_REASON = 500;

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  name: string;
  busy: boolean;
  onDisable: (reason: string) => void;
};

/** Asks why an account is to be disabled. The reason stays when it fails. */
export function DisableQuestion({ open, onOpenChange, name, busy, onDisable }: Props) {
  const t = useTexts(adminUsers);
  const c = useTexts(common);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = () => {
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') onDisable(reason.trim());
  };
  return (
    <Question
      open={open}
      onOpenChange={onOpenChange}
      title={t('disable.ask', { name })}
      text={t('disable.askText')}
      fields={(focus) => (
        <Field label={t('reason')} help={t('reasonHelp')} error={missing ? t('rule.reason') : undefined}>
          {(control) => (
            <Textarea
              ref={focus}
              rows={3}
              maxLength={MAX_REASON}
              value={reason}
              onChange={({ target }) => {
                setReason(target.value);
                setMissing(false);
              }}
              {...control}
            />
          )}
        </Field>
      )}
      act={(focus) => (
        <Button ref={focus} variant="danger" busy={busy} busyText={c('sending')} onClick={submit}>
          <Ban aria-hidden="true" />
          {t('disable')}
        </Button>
      )}
    />
  );
}
