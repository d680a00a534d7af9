import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const ROWS = 'grid w-full justify-items-center gap-3';

/** Its upper rule is thin inside a section or tabs, which have their own. */
export function Empty({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="empty"
      className={cn(
        ROWS,
        'border-t-2 border-b border-t-foreground border-b-border-strong pb-6 text-center [[data-slot=section]>&]:border-t-0 [[data-slot=tabs-nav]+&]:border-t-0',
        className,
      )}
      {...props}
    />
  );
}

export function EmptyHeader({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="empty-header" className={cn(ROWS, 'first:mt-6', className)} {...props} />;
}

export function EmptyMedia({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="empty-media" className={cn('mb-2 w-full', className)} {...props} />;
}

export function EmptyTitle({ className, ...props }: ComponentProps<'p'>) {
  return <p data-slot="empty-title" className={cn('font-display text-display-xs', className)} {...props} />;
}

export function EmptyDescription({ className, ...props }: ComponentProps<'p'>) {
  return <p data-slot="empty-description" className={cn('text-sm text-muted-foreground', className)} {...props} />;
}

export function EmptyContent({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="empty-content" className={cn(ROWS, className)} {...props} />;
}
