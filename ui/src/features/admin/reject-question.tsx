import { Ban } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { Question } from './question';

/** The server's bound. */
const MAX_REASON = 500;

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: string;
  /** Who will read the reason. */
  name: string;
  busy: boolean;
  busyText?: string;
  onReject: (reason: string) => void;
};

/** Asks before a request is rejected; the reason stays when the rejection fails. */
export function RejectQuestion({ open, onOpenChange, title, text, name, busy, busyText, onReject }: Props) {
  const t = useTexts(admin);
  const c = useTexts(common);
  const [reason, setReason] = useState('');
  return (
    <Question
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      text={text}
      fields={(focus) => (
        <Field label={t('reasonRead', { name })} aside={t('optional')}>
          {(control) => (
            <Textarea
              ref={focus}
              rows={3}
              maxLength={MAX_REASON}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              {...control}
            />
          )}
        </Field>
      )}
      act={(focus) => (
        <Button
          ref={focus}
          variant="danger"
          busy={busy}
          busyText={busyText ?? c('sending')}
          onClick={() => onReject(reason.trim())}
        >
          <Ban aria-hidden="true" />
          {t('reject')}
        </Button>
      )}
    />
  );
}
