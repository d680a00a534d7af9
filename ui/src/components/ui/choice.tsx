import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '@/lib/cn';
import { FieldNote } from './field';

/** A group of radio buttons or checkboxes under one question. */
export function ChoiceGroup({ legend, error, children }: { legend: ReactNode; error?: string | undefined; children: ReactNode }) {
  const noteId = useId();
  return (
    <fieldset data-slot="choice-group" className="field plain" aria-describedby={error ? noteId : undefined}>
      <legend className="field__label">{legend}</legend>
      {children}
      <FieldNote id={noteId} error={error} />
    </fieldset>
  );
}

/** One radio button or checkbox with its label; `ref` and `name` come from the form. */
export function Choice({
  label,
  className,
  type = 'radio',
  ...props
}: ComponentProps<'input'> & { label: ReactNode; type?: 'radio' | 'checkbox' }) {
  return (
    <label data-slot="choice" className={cn('check', className)}>
      <input type={type} {...props} />
      <span>{label}</span>
    </label>
  );
}
