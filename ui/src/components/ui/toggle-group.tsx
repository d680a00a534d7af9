import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** A row of toggles. On a phone it spans the screen and scrolls. */
export function ToggleGroup({ asChild = false, className, ...props }: ComponentProps<'div'> & { asChild?: boolean }) {
  const Comp = asChild ? Slot.Root : 'div';
  return (
    <Comp
      role={asChild ? undefined : 'group'}
      data-slot="toggle-group"
      className={cn(
        '-mx-gutter flex scrollbar-none gap-2 overflow-x-auto px-gutter md:m-0 md:flex-wrap md:p-0 [&::-webkit-scrollbar]:hidden',
        className,
      )}
      {...props}
    />
  );
}
