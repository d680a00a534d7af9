import { cva } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** Also for links of which one is the current page. */
export const toggleVariants = cva(
  'inline-flex min-h-11 items-center gap-2 rounded-md border border-border-strong bg-background px-3.5 text-md whitespace-nowrap no-underline ' +
    'aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:font-semibold aria-pressed:text-primary-foreground ' +
    'aria-[current=page]:border-primary aria-[current=page]:bg-primary aria-[current=page]:font-semibold aria-[current=page]:text-primary-foreground',
);

export function Toggle({ pressed, className, ...props }: ComponentProps<'button'> & { pressed: boolean }) {
  return (
    <button type="button" data-slot="toggle" aria-pressed={pressed} className={cn(toggleVariants(), className)} {...props} />
  );
}
