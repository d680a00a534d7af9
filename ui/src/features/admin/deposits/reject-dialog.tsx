import { Ban } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Choice, ChoiceGroup } from '@/components/choice';
import { PendingButton } from '@/components/pending-button';
import { Kbd } from '@/components/ui/kbd';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminDeposits } from '@/i18n/en/admin-deposits';
import { isEnter } from '@/lib/enter';
import { count } from '@/lib/money';
import { ConfirmDialog } from '../review/confirm-dialog';
import { ReasonField } from '../review/reason-field';
import { optionalReason } from '../review/reason-schema';
import type { RejectingProps } from '../review/request-review';
import type { Rejection } from '../review/use-request-review';
import { useShortcutsOn } from '../shortcuts/shortcuts-setting';
import { codeOfKey, REJECT_CODES, type RejectCode } from './reject-codes';

type Props = RejectingProps & {
  title: string;
  text: string;
  name: string;
  onAnswer: (rejection: Rejection) => void;
};

/** Keys 1 to 4 choose a reason and Enter rejects, unless the user is typing. */
function useReasonKeys(open: boolean, onCode: (code: RejectCode) => void, onEnter: () => void) {
  const on = useShortcutsOn();
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !(target instanceof Element)) return;
    if (isEnter(event) && target.matches('input[type="radio"]')) {
      event.preventDefault();
      onEnter();
      return;
    }
    const code = on && !target.closest('textarea') ? codeOfKey(event) : undefined;
    if (!code) return;
    event.preventDefault();
    onCode(code);
  });
  useEffect(() => {
    if (!open) return;
    const listener = (event: KeyboardEvent) => pressed(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [open]);
}

/** Asks for a reason and a text before a rejection. Input survives a failure. */
export function RejectDialog({ open, onOpenChange, busy, busyText, title, text, name, onAnswer }: Props) {
  const t = useTexts(admin);
  const tAdminDeposits = useTexts(adminDeposits);
  const [code, setCode] = useState<RejectCode>('other');
  const choices = useRef(new Map<RejectCode, HTMLInputElement | null>());
  const { form, submit } = useDraftForm({
    schema: optionalReason,
    t: () => '',
    empty: { reason: '' },
    toast: null,
    mutation: { isPending: busy },
    onSubmit: ({ reason }) => {
      onAnswer({ code, ...(reason === '' ? {} : { reason }) });
      return undefined;
    },
  });
  useReasonKeys(
    open,
    (chosen) => {
      setCode(chosen);
      choices.current.get(chosen)?.focus();
    },
    submit,
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      text={text}
      field={
        <div className="grid gap-3">
          <ChoiceGroup legend={tAdminDeposits('why')}>
            <div className="grid xs:grid-cols-2">
              {REJECT_CODES.map((known, index) => (
                <Choice
                  key={known}
                  ref={(input: HTMLInputElement | null) => {
                    choices.current.set(known, input);
                  }}
                  name="code"
                  checked={known === code}
                  onChange={() => setCode(known)}
                  label={
                    <>
                      {tAdminDeposits(`why.${known}`)}{' '}
                      {known === 'other' ? null : (
                        <Kbd className="ml-1 [@media(hover:none)]:hidden" aria-hidden="true">
                          {count(index + 1)}
                        </Kbd>
                      )}
                    </>
                  }
                />
              ))}
            </div>
          </ChoiceGroup>
          <p role="status" aria-live="polite" className="text-sm text-muted-foreground">
            {tAdminDeposits(`says.${code}`, { name })}
          </p>
          <ReasonField label={tAdminDeposits('words', { name })} aside={t('optional')} rows={2} {...form.register('reason')} />
        </div>
      }
      act={(focus) => (
        <PendingButton ref={focus} variant="destructive" pending={busy} pendingText={busyText} onClick={submit}>
          <Ban aria-hidden="true" />
          {t('reject')}
        </PendingButton>
      )}
    />
  );
}
