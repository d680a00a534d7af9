import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** Classes of a link in TabsNav. The current one has `aria-current`. */
export const TAB_LINK =
  '-mb-px inline-flex min-h-12 items-center gap-2 border-b-3 border-transparent px-3 text-md whitespace-nowrap text-muted-foreground no-underline first:pl-0 hover:text-foreground aria-[current=page]:border-foreground aria-[current=page]:font-semibold aria-[current=page]:text-foreground';

/** Links styled as tabs. Each has an address, so they are not Radix's tabs. */
export function TabsNav({ className, ...props }: ComponentProps<'nav'>) {
  return (
    <nav
      data-slot="tabs-nav"
      className={cn(
        'flex scrollbar-none gap-1 overflow-x-auto border-b border-border-strong [&::-webkit-scrollbar]:hidden',
        className,
      )}
      {...props}
    />
  );
}
