import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

export const control =
  'min-h-12 w-full rounded-md border border-input bg-background px-3.5 py-2.5 text-base placeholder:text-subtle-foreground ' +
  'focus:border-pen focus:outline-2 focus:-outline-offset-1 focus:outline-pen disabled:border-border disabled:bg-secondary disabled:text-subtle-foreground ' +
  'aria-invalid:border-destructive aria-invalid:shadow-[inset_3px_0_0_var(--destructive)]';

/** Read-only look. Not for selects, which CSS always takes for read-only. */
export const readOnly = 'read-only:border-border read-only:bg-muted';

/** Use it inside a FormField, which connects label, help and error. */
export function Input({ className, type = 'text', ...props }: ComponentProps<'input'>) {
  return <input type={type} data-slot="input" className={cn(control, readOnly, className)} {...props} />;
}
