import { type ComponentProps, type ReactNode, useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { FieldLegend, FieldSet } from '@/components/ui/field';
import { RadioGroupItem } from '@/components/ui/radio-group';
import { cn } from '@/lib/cn';
import { FieldNote } from './form-field';

export function ChoiceGroup({ legend, error, children }: { legend: ReactNode; error?: string | undefined; children: ReactNode }) {
  const noteId = useId();
  return (
    <FieldSet aria-describedby={error ? noteId : undefined}>
      <FieldLegend>{legend}</FieldLegend>
      {children}
      <FieldNote id={noteId} error={error} />
    </FieldSet>
  );
}

/** A radio button or checkbox with its label; `ref` and `name` come from the form. */
export function Choice({
  label,
  className,
  type = 'radio',
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; type?: 'radio' | 'checkbox' }) {
  const Box = type === 'radio' ? RadioGroupItem : Checkbox;
  return (
    <label data-slot="choice" className={cn('flex min-h-11 cursor-pointer items-start gap-3 py-2.5', className)}>
      <Box {...props} />
      <span>{label}</span>
    </label>
  );
}
