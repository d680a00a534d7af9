import { AlertDialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

export const AlertDialog = Primitive.Root;
export const AlertDialogTrigger = Primitive.Trigger;
/** Closes without acting. Wrap a Button: `<AlertDialogCancel asChild>`. */
export const AlertDialogCancel = Primitive.Cancel;

type Props = {
  title: ReactNode;
  description?: ReactNode;
  className?: string;
  /** Where the focus goes, if not back to what opened the question. */
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
};

/**
 * A question that must be answered: moving money, deleting. Not closed by a click outside. The acting button is an ordinary Button, not
 * Primitive.Action, so that the dialog stays while the work runs; close it from the result.
 */
export function AlertDialogContent({ title, description, className, onCloseAutoFocus, children }: Props) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="scrim" />
      <Primitive.Content
        data-slot="alert-dialog"
        className={cn('dialog', className)}
        onCloseAutoFocus={onCloseAutoFocus}
        {...(description ? {} : { 'aria-describedby': undefined })}
      >
        <div className="dialog__head">
          <Primitive.Title className="d24">{title}</Primitive.Title>
        </div>
        {description ? <Primitive.Description className="m">{description}</Primitive.Description> : null}
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}
