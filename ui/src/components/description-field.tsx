import type { ComponentProps } from 'react';
import { Textarea } from '@/components/ui/textarea';
import { count } from '@/lib/money';
import { lengthOf, MAX_DESCRIPTION } from '@/lib/rules';
import { FormField } from './form-field';

// A short text needs no counter.
const COUNTER_FROM = 4_000;

type Props = Pick<ComponentProps<typeof FormField>, 'label' | 'help' | 'error'> &
  Omit<ComponentProps<typeof Textarea>, 'id'> & {
    text: string;
  };

export function DescriptionField({ label, help, error, text, ...props }: Props) {
  const written = lengthOf(text);
  const counter = written >= COUNTER_FROM ? `${count(written)}/${count(MAX_DESCRIPTION)}` : null;
  return (
    <FormField label={label} aside={counter} help={help} error={error}>
      {(control) => <Textarea {...control} {...props} />}
    </FormField>
  );
}
