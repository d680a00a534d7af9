import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

const frame =
  'justify-center gap-2 rounded-md border border-transparent px-4.5 py-2.5 text-center text-md/[1.3] no-underline transition-[background-color,border-color] ' +
  "disabled:cursor-not-allowed disabled:border-transparent disabled:bg-secondary disabled:text-subtle-foreground [&_svg:not([class*='size-'])]:size-4.5";

const variants = cva('inline-flex min-h-11 items-center font-semibold', {
  variants: {
    variant: {
      default: `${frame} bg-primary text-primary-foreground hover:bg-muted-foreground`,
      destructive: `${frame} border-destructive bg-background text-destructive hover:bg-destructive-tint`,
      outline: `${frame} border-input bg-background text-inherit hover:border-foreground hover:bg-muted`,
      secondary: `${frame} bg-secondary text-secondary-foreground hover:bg-border`,
      ghost: `${frame} px-3 text-inherit hover:bg-secondary`,
      link: 'gap-1.5 underline decoration-border-strong disabled:cursor-not-allowed disabled:text-subtle-foreground disabled:no-underline',
      /** Only for actions that move money, with the mark; at most one per view. */
      seal: `${frame} min-h-13 gap-3 rounded-book bg-primary py-3.5 pr-6 pl-5 text-[17px]/[1.3] text-primary-foreground hover:bg-holder-own hover:text-holder-own-foreground`,
      /** On the coloured background; white in the dark theme, too. */
      inverse: `${frame} min-h-13 rounded-book bg-seal-foreground px-7 py-3.5 text-[17px]/[1.3] text-[oklch(0.36_0.132_24)] hover:bg-[oklch(0.95_0.02_25)]`,
    },
    size: {
      default: '',
      /** As high as other buttons: 44 px is the minimum touch target. */
      sm: '',
      xs: '',
      lg: 'min-h-13 text-[17px]/[1.3]',
      icon: 'w-11 flex-none p-0',
      'icon-xs': 'w-11 flex-none p-0',
      'icon-sm': 'w-11 flex-none p-0',
      'icon-lg': 'min-h-13 w-13 flex-none p-0',
    },
  },
  compoundVariants: [{ variant: 'seal', size: 'sm', class: 'min-h-11 py-2.5 pr-4.5 pl-3.5 text-md/[1.3]' }],
  defaultVariants: { variant: 'default', size: 'default' },
});

/** For links and parts of Radix. Sizes and `className` override the variant. */
export const buttonVariants = (props?: Parameters<typeof variants>[0]) => cn(variants(props));

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof variants> & {
    asChild?: boolean;
  };

export function Button({ className, variant = 'default', size = 'default', asChild = false, ...props }: ButtonProps) {
  const Comp = asChild ? Slot.Root : 'button';
  return (
    <Comp
      {...(asChild ? null : { type: 'button' as const })}
      data-slot="button"
      data-variant={variant}
      className={buttonVariants({ variant, size, className })}
      {...props}
    />
  );
}
