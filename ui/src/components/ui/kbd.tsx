import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        'ml-1.5 rounded-md border border-b-2 border-border-strong px-1.5 py-0.75 font-sans text-xs leading-none font-semibold text-foreground first:ml-0',
        className,
      )}
      {...props}
    />
  );
}
