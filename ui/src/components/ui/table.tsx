import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** A table without a frame. Content wraps; otherwise the caller makes it scroll. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table data-slot="table" className={cn('w-full text-md [&_a:not(:hover)]:no-underline', className)} {...props} />;
}

export function TableHeader(props: ComponentProps<'thead'>) {
  return <thead data-slot="table-header" {...props} />;
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody data-slot="table-body" {...props} />;
}

export function TableFooter({ className, ...props }: ComponentProps<'tfoot'>) {
  return (
    <tfoot
      data-slot="table-footer"
      className={cn(
        '[&_td]:border-0 [&_td]:align-baseline [&_td]:font-semibold [&_th]:border-0 [&_th]:pt-3.5 [&_th]:align-baseline [&_th]:text-md [&_th]:font-semibold [&_th]:text-foreground',
        className,
      )}
      {...props}
    />
  );
}

export function TableRow(props: ComponentProps<'tr'>) {
  return <tr data-slot="table-row" {...props} />;
}

/** `end` aligns figures at the right edge. */
export function TableHead({ className, end = false, ...props }: ComponentProps<'th'> & { end?: boolean }) {
  return (
    <th
      data-slot="table-head"
      className={cn(
        'border-b border-border-strong py-2.5 align-bottom text-sm font-medium whitespace-nowrap text-muted-foreground',
        end ? 'pl-3 text-end' : 'pr-3 text-start',
        className,
      )}
      {...props}
    />
  );
}

export function TableCell({ className, end = false, ...props }: ComponentProps<'td'> & { end?: boolean }) {
  return (
    <td
      data-slot="table-cell"
      className={cn('border-b py-3.5 align-middle in-[tbody>tr:hover]:bg-muted', end ? 'pl-3 text-end' : 'pr-3', className)}
      {...props}
    />
  );
}

export function TableCaption({ className, ...props }: ComponentProps<'caption'>) {
  return <caption data-slot="table-caption" className={cn('text-sm text-muted-foreground', className)} {...props} />;
}
