import type { ComponentProps } from 'react';
import { Input } from '@/components/ui/input';
import { cn } from '@/lib/cn';

type Props = ComponentProps<typeof Input> & {
  kind: 'totp' | 'backup' | 'mail';
  focused?: boolean;
};

// Phones suggest the code and show their number pad.
const DIGITS = { inputMode: 'numeric', autoComplete: 'one-time-code' } as const;

const KINDS = {
  totp: DIGITS,
  mail: DIGITS,
  backup: { autoComplete: 'off', autoCapitalize: 'characters' },
} as const;

/** The field of a code. The server accepts spaces, dashes and Bangla digits. */
export function CodeInput({ kind, focused = false, className, ...props }: Props) {
  return (
    <Input
      {...KINDS[kind]}
      // eslint-disable-next-line jsx-a11y-x/no-autofocus -- it takes the place of a form that had the focus
      autoFocus={focused}
      autoCorrect="off"
      spellCheck={false}
      className={cn('max-w-60 text-lg tracking-[0.12em] slashed-zero tabular-nums', className)}
      {...props}
    />
  );
}
