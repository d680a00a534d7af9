import { OctagonAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';

/** What the control inside a Field must spread onto itself. */
export type ControlProps = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

type FieldProps = {
  label: ReactNode;
  /** Small text at the right end of the label: a counter, a unit. */
  aside?: ReactNode;
  help?: ReactNode;
  /** Replaces the help and marks the control as invalid. */
  error?: string | undefined;
  /** Reads the error out when it appears: for one that no toast says. */
  live?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
};

/** Label, control, then help or one error; the control is told which of them describes it. */
export function Field({ label, aside, help, error, live, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const described = error || help ? { 'aria-describedby': noteId } : {};
  return (
    <div data-slot="field" className={cn('field', className)}>
      <label className="field__label" htmlFor={id}>
        {label}
        {aside ? <small className="num">{aside}</small> : null}
      </label>
      {children({ id, ...(error ? { 'aria-invalid': true as const } : {}), ...described })}
      <FieldNote id={noteId} help={help} error={error} live={live} />
    </div>
  );
}

type NoteProps = { id: string } & Pick<FieldProps, 'help' | 'error'> & { live?: boolean | undefined };

/** The line under a control: the error with its icon, otherwise the help. */
export function FieldNote({ live = false, ...note }: NoteProps) {
  if (!live) return <NoteLine {...note} />;
  // Here before the error is: what comes together with its words is not read out.
  return (
    <div role="status" aria-live="polite" className="field__live">
      <NoteLine {...note} />
    </div>
  );
}

function NoteLine({ id, help, error }: Omit<NoteProps, 'live'>) {
  if (error) {
    return (
      <p className="field__error" id={id}>
        <OctagonAlert aria-hidden="true" />
        {error}
      </p>
    );
  }
  return help ? (
    <p className="field__help" id={id}>
      {help}
    </p>
  ) : null;
}
