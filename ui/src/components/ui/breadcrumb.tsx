import { ChevronRight } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

export function Breadcrumb(props: ComponentProps<'nav'> & { 'aria-label': string }) {
  return <nav data-slot="breadcrumb" {...props} />;
}

/** Keeps its height while its items load. */
export function BreadcrumbList({ className, ...props }: ComponentProps<'ol'>) {
  return (
    <ol
      data-slot="breadcrumb-list"
      className={cn('mb-2 flex min-h-8 flex-wrap items-center gap-1.5 text-sm text-muted-foreground', className)}
      {...props}
    />
  );
}

export function BreadcrumbItem({ className, ...props }: ComponentProps<'li'>) {
  return <li data-slot="breadcrumb-item" className={cn('inline-flex min-w-0 items-center gap-1.5', className)} {...props} />;
}

export function BreadcrumbLink({ asChild = false, className, ...props }: ComponentProps<'a'> & { asChild?: boolean }) {
  const Part = asChild ? Slot.Root : 'a';
  return <Part data-slot="breadcrumb-link" className={cn('inline-flex min-h-11 items-center', className)} {...props} />;
}

export function BreadcrumbPage(props: ComponentProps<'span'>) {
  return <span data-slot="breadcrumb-page" aria-current="page" {...props} />;
}

export function BreadcrumbSeparator({ children, ...props }: ComponentProps<'li'>) {
  return (
    <li data-slot="breadcrumb-separator" role="presentation" aria-hidden="true" {...props}>
      {children ?? <ChevronRight className="block size-4" />}
    </li>
  );
}
