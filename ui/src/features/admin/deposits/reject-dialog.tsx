import { Ban } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Choice, ChoiceGroup } from '@/components/choice';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { PendingButton } from '@/components/pending-button';
import { Kbd } from '@/components/ui/kbd';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { admin, adminDeposits } from '@/i18n/en/admin';
import { isEnter } from '@/lib/enter';
import { count } from '@/lib/money';
import { optionalReason, ReasonField } from '../review/reason-dialog';
import type { RejectingProps } from '../review/request-review';
import { useShortcutsOn } from '../shortcuts/shortcuts';

const REJECT_CODES = ['not_found', 'other_amount', 'used_before', 'other_number', 'other'] as const;
type RejectCode = (typeof REJECT_CODES)[number];

export type Rejection = { code: RejectCode; reason?: string };

/** The code of the keys 1 to 4, also on a Bangla keyboard. */
function codeOfKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): RejectCode | undefined {
  const digit = /^[1-4]$/.test(key) ? key : /^Digit[1-4]$/.test(code) ? code.slice(-1) : null;
  return digit === null ? undefined : REJECT_CODES[Number(digit) - 1];
}

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
export function RejectDialog({ open, onClose, busy, busyText, title, text, name, onAnswer }: Props) {
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
      onClose={onClose}
      title={title}
      text={text}
      focusAction
      action={
        <PendingButton variant="destructive" pending={busy} pendingText={busyText} onClick={submit}>
          <Ban aria-hidden="true" />
          {t('reject')}
        </PendingButton>
      }
    >
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
    </ConfirmDialog>
  );
}
