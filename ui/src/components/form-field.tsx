import { type ReactNode, useId } from 'react';
import { Field, FieldDescription, FieldError, FieldLabel } from '@/components/ui/field';

/** Spread onto the control inside a FormField. */
type ControlProps = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

type FormFieldProps = {
  label: ReactNode;
  /** Small text at the end of the label: a counter, a unit. */
  aside?: ReactNode;
  help?: ReactNode;
  /** Replaces the help and marks the control as invalid. */
  error?: string | undefined;
  /** Announces the error when it appears, if there is no toast. */
  live?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
};

/** Label, control, and below it the help or an error that describes the control. */
export function FormField({ label, aside, help, error, live, className, children }: FormFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const described = error || help ? { 'aria-describedby': noteId } : {};
  return (
    <Field className={className}>
      <FieldLabel htmlFor={id}>
        {label}
        {aside ? <small className="text-sm font-normal text-muted-foreground lining-nums tabular-nums">{aside}</small> : null}
      </FieldLabel>
      {children({ id, ...(error ? { 'aria-invalid': true as const } : {}), ...described })}
      <FieldNote id={noteId} help={help} error={error} live={live} />
    </Field>
  );
}

type NoteProps = { id: string } & Pick<FormFieldProps, 'help' | 'error'> & { live?: boolean | undefined };

export function FieldNote({ live = false, ...note }: NoteProps) {
  if (!live) return <NoteLine {...note} />;
  // Mounted before the error: a live region does not announce its initial content.
  return (
    <div role="status" aria-live="polite" className="empty:-mt-1.5">
      <NoteLine {...note} />
    </div>
  );
}

function NoteLine({ id, help, error }: Omit<NoteProps, 'live'>) {
  if (error) return <FieldError id={id}>{error}</FieldError>;
  return help ? <FieldDescription id={id}>{help}</FieldDescription> : null;
}
