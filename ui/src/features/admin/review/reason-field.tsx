import type { ComponentProps } from 'react';
import { FormField } from '@/components/form-field';
import { Textarea } from '@/components/ui/textarea';

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
