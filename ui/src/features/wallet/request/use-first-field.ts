import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

/** A form that appears takes the focus to its first field; not on a touch screen, where the keyboard would cover it before it was read. */
export function useFirstField<V extends FieldValues>({ setFocus }: UseFormReturn<V>, field: Path<V>): void {
  useEffect(() => {
    if (!(navigator.maxTouchPoints > 0)) setFocus(field);
  }, [setFocus, field]);
}
