import { ArrowLeft, ArrowRight } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { buttonVariants } from './button';

type LinkProps = ComponentProps<'a'> &
  Pick<NonNullable<Parameters<typeof buttonVariants>[0]>, 'variant'> & {
    isActive?: boolean;
    /** For a router's link, or a button. */
    asChild?: boolean;
  };

export function Pagination({ className, ...props }: ComponentProps<'nav'>) {
  return <nav data-slot="pagination" className={cn('flex items-center gap-1', className)} {...props} />;
}

export function PaginationContent({ className, ...props }: ComponentProps<'ul'>) {
  return <ul data-slot="pagination-content" className={cn('flex items-center gap-1', className)} {...props} />;
}

export function PaginationItem(props: ComponentProps<'li'>) {
  return <li data-slot="pagination-item" {...props} />;
}

/** A page number. A router's link knows by itself whether it is the current one. */
export function PaginationLink({ className, variant = 'ghost', isActive, asChild, ...props }: LinkProps) {
  const Part = asChild ? Slot.Root : 'a';
  return (
    <Part
      data-slot="pagination-link"
      {...(isActive ? { 'aria-current': 'page' } : {})}
      className={cn(
        buttonVariants({ variant }),
        'min-w-11 px-2 tabular-nums aria-[current=page]:bg-primary aria-[current=page]:text-primary-foreground',
        className,
      )}
      {...props}
    />
  );
}

/** The previous page. Without one, set `aria-disabled` on the child, which is then no link. */
export function PaginationPrevious({ className, variant = 'ghost', asChild, children, ...props }: LinkProps) {
  const Part = asChild ? Slot.Root : 'a';
  return (
    <Part data-slot="pagination-previous" className={cn(buttonVariants({ variant }), className)} {...props}>
      <ArrowLeft aria-hidden="true" />
      <Slot.Slottable>{children}</Slot.Slottable>
    </Part>
  );
}

export function PaginationNext({ className, variant = 'ghost', asChild, children, ...props }: LinkProps) {
  const Part = asChild ? Slot.Root : 'a';
  return (
    <Part data-slot="pagination-next" className={cn(buttonVariants({ variant }), className)} {...props}>
      <Slot.Slottable>{children}</Slot.Slottable>
      <ArrowRight aria-hidden="true" />
    </Part>
  );
}

export function PaginationEllipsis({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span data-slot="pagination-ellipsis" className={cn('block w-6 text-center', className)} aria-hidden="true" {...props}>
      …
    </span>
  );
}
