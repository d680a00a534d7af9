import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const avatarVariants = cva(
  'relative inline-grid flex-none place-items-center rounded-full bg-secondary font-display font-semibold text-foreground',
  {
    variants: {
      size: {
        default: 'size-10 text-base/none',
        sm: 'size-8 text-sm/none',
        lg: 'size-14 text-[22px]/none',
        xl: 'size-18 text-[28px]/none',
      },
    },
    defaultVariants: { size: 'default' },
  },
);

export type AvatarSize = NonNullable<VariantProps<typeof avatarVariants>['size']>;

/** Not Radix's, which loads the picture by script, and so neither lazily nor at once. */
export function Avatar({ className, size, ...props }: ComponentProps<'span'> & VariantProps<typeof avatarVariants>) {
  return <span data-slot="avatar" className={cn(avatarVariants({ size }), className)} {...props} />;
}

export function AvatarImage({ className, ...props }: ComponentProps<'img'>) {
  return (
    <img
      data-slot="avatar-image"
      alt=""
      loading="lazy"
      className={cn('absolute inset-0 size-full rounded-full object-cover', className)}
      {...props}
    />
  );
}

export function AvatarFallback(props: ComponentProps<'span'>) {
  return <span data-slot="avatar-fallback" aria-hidden="true" {...props} />;
}
