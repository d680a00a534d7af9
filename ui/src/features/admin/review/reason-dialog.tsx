import { Ban } from 'lucide-react';
import type { ComponentProps } from 'react';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { ConfirmDialog } from './confirm-dialog';
import { ReasonField } from './reason-field';
import { optionalReason, requiredReason } from './reason-schema';

type Props = Pick<ComponentProps<typeof ConfirmDialog>, 'open' | 'onOpenChange' | 'title' | 'text'> & {
  field: Pick<ComponentProps<typeof ReasonField>, 'label' | 'aside' | 'help' | 'maxLength'>;
  /** The error without a reason; the reason is optional if absent. */
  missing?: string;
  action: string;
  variant?: ComponentProps<typeof Button>['variant'];
  busy: boolean;
  busyText?: string;
  onAnswer: (reason: string) => void;
};

/** Asks for a reason, which the user reads. Input survives a failure. */
export function ReasonDialog({ field, missing, action, variant = 'destructive', busy, busyText, onAnswer, ...question }: Props) {
  const tCommon = useTexts(common);
  const { form, submit, errorOf } = useDraftForm({
    schema: missing === undefined ? optionalReason : requiredReason,
    t: () => missing ?? '',
    empty: { reason: '' },
    toast: null,
    mutation: { isPending: busy },
    onSubmit: ({ reason }) => {
      onAnswer(reason);
      return undefined;
    },
  });
  return (
    <ConfirmDialog
      {...question}
      field={<ReasonField {...field} live error={errorOf('reason')} {...form.register('reason')} />}
      act={(focus) => (
        <PendingButton ref={focus} variant={variant} pending={busy} pendingText={busyText ?? tCommon('sending')} onClick={submit}>
          {variant === 'destructive' ? <Ban aria-hidden="true" /> : null}
          {action}
        </PendingButton>
      )}
    />
  );
}
