import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** A text field that shares a frame with its addons. */
export function InputGroup({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="input-group"
      className={cn(
        'flex min-h-12 items-stretch rounded-md border border-input bg-background focus-within:border-pen focus-within:outline-2 focus-within:-outline-offset-1 ' +
          'focus-within:outline-pen has-disabled:border-border has-disabled:bg-secondary has-disabled:text-subtle-foreground has-aria-invalid:border-destructive has-aria-invalid:shadow-[inset_3px_0_0_var(--destructive)]',
        className,
      )}
      {...props}
    />
  );
}

export function InputGroupInput({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      data-slot="input-group-control"
      className={cn(
        'min-h-11.5 w-full rounded-md px-3.5 py-2.5 text-base outline-none placeholder:text-subtle-foreground',
        className,
      )}
      {...props}
    />
  );
}

const addon = 'flex items-center gap-1.5 whitespace-nowrap';

export function InputGroupAddon({ className, ...props }: ComponentProps<'span'>) {
  return <span data-slot="input-group-addon" className={cn(addon, 'pl-3.5 text-muted-foreground', className)} {...props} />;
}

export function InputGroupButton({ className, ...props }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      data-slot="input-group-button"
      className={cn(addon, 'min-w-11 justify-center border-l px-3.5 text-sm font-semibold', className)}
      {...props}
    />
  );
}
