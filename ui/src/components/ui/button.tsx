import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { SealMark } from './seal-mark';

export const buttonVariants = cva('btn', {
  variants: {
    variant: {
      /** Moves money, and nothing else does. Carries the mark; at most one a view. */
      seal: 'btn--seal',
      ink: 'btn--ink',
      line: 'btn--line',
      quiet: 'btn--quiet',
      danger: 'btn--danger',
      /** On cloth. */
      white: 'btn--white',
    },
    size: { default: '', sm: 'sm', icon: 'btn--icon' },
    wide: { true: 'btn--wide' },
  },
  defaultVariants: { variant: 'ink', size: 'default' },
});

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonVariants> & {
    /** Renders the child (a link) with the button's look. */
    asChild?: boolean;
    /** Work in progress: shows `busyText` and a spinner in the width the button had, and ignores clicks. */
    busy?: boolean;
    busyText?: string;
  };

/** A button of the look. `variant="seal"` adds the mark by itself, also around a link. */
export function Button({
  className,
  variant,
  size,
  wide,
  asChild,
  busy = false,
  busyText,
  children,
  onClick,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size, wide }), busy && 'is-busy', className);
  const seal = variant === 'seal' ? <SealMark /> : null;
  if (asChild) {
    return (
      <Slot.Root data-slot="button" data-variant={variant} className={classes} {...props}>
        {seal}
        <Slot.Slottable>{children}</Slot.Slottable>
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      data-slot="button"
      data-variant={variant}
      className={cn('btn--act', classes)}
      aria-busy={busy || undefined}
      // Not `disabled`: a busy button keeps the focus, so that a keyboard user does not lose the place.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      <span className="btn__face" data-idle={busy || undefined}>
        {seal}
        {children}
      </span>
      {busy || busyText ? (
        // Always laid out, so that the button has the same width before, while and after it is busy.
        <span className="btn__face" data-idle={!busy || undefined} aria-hidden={!busy}>
          <LoaderCircle className="spin" aria-hidden="true" />
          {busyText}
        </span>
      ) : null}
    </button>
  );
}
