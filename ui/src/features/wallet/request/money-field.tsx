import type { ReactNode } from 'react';
import { type Control, Controller, type FieldPathByValue, type FieldValues } from 'react-hook-form';
import { MoneyInput } from '@/components/money-input';

type Props<V extends FieldValues> = {
  control: Control<V>;
  name: FieldPathByValue<V, string>;
  label: ReactNode;
  under?: ReactNode;
  underEnd?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  live?: boolean;
};

export function MoneyField<V extends FieldValues>({ control, name, ...props }: Props<V>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <MoneyInput {...props} ref={field.ref} value={field.value} onValue={field.onChange} onBlur={field.onBlur} />
      )}
    />
  );
}
