import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const alertVariants = cva('grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-l-3 px-4 py-3.5 text-md [&>svg]:mt-0.5', {
  variants: {
    variant: {
      default: 'border-subtle-foreground bg-muted',
      destructive: 'border-current bg-destructive-tint text-destructive',
      info: 'border-pen bg-pen-tint',
      pending: 'border-current bg-status-pending-tint text-status-pending',
    },
  },
  defaultVariants: { variant: 'default' },
});

type Props = ComponentProps<'div'> & VariantProps<typeof alertVariants>;

/** An icon beside a title and a text. Announced only with `role="alert"`. */
export function Alert({ className, variant, ...props }: Props) {
  return <div data-slot="alert" className={cn(alertVariants({ variant }), className)} {...props} />;
}

export function AlertTitle({ className, ...props }: ComponentProps<'p'>) {
  return <p data-slot="alert-title" className={cn('col-start-2 font-semibold', className)} {...props} />;
}

export function AlertDescription({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="alert-description" className={cn('col-start-2', className)} {...props} />;
}
