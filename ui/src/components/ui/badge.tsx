import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

export const badgeVariants = cva(
  'inline-flex h-6.5 w-max items-center gap-1.5 rounded-xs pr-2.5 pl-2 text-caption leading-none font-semibold whitespace-nowrap [&>svg]:size-3.75 [&>svg]:stroke-2',
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground',
        secondary: 'bg-secondary text-secondary-foreground',
        destructive: 'bg-destructive-tint text-destructive',
        outline: 'border text-foreground',
        pending: 'bg-status-pending-tint text-status-pending',
        active: 'bg-status-active-tint text-status-active',
        late: 'bg-status-late-tint text-status-late',
        delivered: 'bg-status-delivered-tint text-status-delivered',
        completed: 'bg-status-done-tint text-status-done',
        cancelled: 'bg-status-gone-tint text-status-gone',
        failed: 'bg-status-late-tint text-status-late',
        count: 'h-5.5 min-w-5.5 justify-center bg-secondary px-1.5 leading-normal tabular-nums',
      },
    },
    defaultVariants: { variant: 'default' },
  },
);

export type BadgeVariant = NonNullable<VariantProps<typeof badgeVariants>['variant']>;

type Props = ComponentProps<'span'> & VariantProps<typeof badgeVariants> & { asChild?: boolean };

/** A status has an icon and a word, never the colour alone. */
export function Badge({ className, variant, asChild, ...props }: Props) {
  const Part = asChild ? Slot.Root : 'span';
  return <Part data-slot="badge" data-variant={variant} className={cn(badgeVariants({ variant }), className)} {...props} />;
}
