import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** What a text field, a text area and a select have in common. */
export const control =
  'min-h-12 w-full rounded-md border border-input bg-background px-3.5 py-2.5 text-base placeholder:text-subtle-foreground ' +
  'focus:border-pen focus:outline-2 focus:-outline-offset-1 focus:outline-pen disabled:border-border disabled:bg-secondary disabled:text-subtle-foreground ' +
  'aria-invalid:border-destructive aria-invalid:shadow-[inset_3px_0_0_var(--destructive)]';

/** Of one that can be read only. A select is always that for CSS. */
export const readOnly = 'read-only:border-border read-only:bg-muted';

/** A text field. Use inside FormField, which wires label, help and error. */
export function Input({ className, type = 'text', ...props }: ComponentProps<'input'>) {
  return <input type={type} data-slot="input" className={cn(control, readOnly, className)} {...props} />;
}
