import { Ban } from 'lucide-react';
import type { ComponentProps } from 'react';
import * as z from 'zod/mini';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Textarea } from '@/components/ui/textarea';
import { useDraftForm } from '@/hooks/use-draft-form';

export const optionalReason = z.object({ reason: z.string().check(z.trim()) });

/** The message is a key that each dialog replaces with its own text. */
const requiredReason = z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'missing')) });

const MAX_REASON = 500;

type Props = Pick<ComponentProps<typeof FormField>, 'label' | 'aside' | 'help' | 'error' | 'live'> &
  Omit<ComponentProps<typeof Textarea>, 'id'>;

export function ReasonField({ label, aside, help, error, live, ...props }: Props) {
  return (
    <FormField label={label} aside={aside} help={help} error={error} live={live}>
      {(control) => <Textarea rows={3} maxLength={MAX_REASON} {...props} {...control} />}
    </FormField>
  );
}

type ReasonDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'open' | 'onClose' | 'title' | 'text'> & {
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
export function ReasonDialog({
  field,
  missing,
  action,
  variant = 'destructive',
  busy,
  busyText,
  onAnswer,
  ...question
}: ReasonDialogProps) {
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
      focusAction
      action={
        <PendingButton variant={variant} pending={busy} pendingText={busyText} onClick={submit}>
          {variant === 'destructive' ? <Ban aria-hidden="true" /> : null}
          {action}
        </PendingButton>
      }
    >
      <ReasonField {...field} live error={errorOf('reason')} {...form.register('reason')} />
    </ConfirmDialog>
  );
}
