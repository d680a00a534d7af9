import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

/** Not on a touch screen, where the keyboard would cover the form. */
export function useFirstField<V extends FieldValues>({ setFocus }: UseFormReturn<V>, field: Path<V>): void {
  useEffect(() => {
    if (!(navigator.maxTouchPoints > 0)) setFocus(field);
  }, [setFocus, field]);
}
