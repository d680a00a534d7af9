import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { SealMark } from './seal-mark';

type Props = Omit<ComponentProps<typeof Button>, 'asChild'> & {
  /** Shows a spinner with `pendingText` and ignores clicks, without changing the width. */
  pending?: boolean;
  /** "Sending…" by default; null for the spinner alone. */
  pendingText?: string | null;
};

/** Both faces share a cell, so the button keeps its width. */
const FACE = 'col-start-1 row-start-1 flex items-center justify-center gap-[inherit]';

export function PendingButton({ pending = false, pendingText, className, children, onClick, ...props }: Props) {
  const t = useTexts(common);
  const text = pendingText === undefined ? t('sending') : pendingText;
  return (
    <Button
      className={cn('inline-grid', pending && 'cursor-progress', className)}
      aria-busy={pending || undefined}
      // Not `disabled`, so that a busy button keeps the focus.
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {/* While hidden, it still names the button if there is no other text. */}
      <span className={cn(FACE, pending && (text ? 'invisible' : 'opacity-0'))}>
        {props.variant === 'seal' ? <SealMark large={props.size !== 'sm'} /> : null}
        {children}
      </span>
      {pending || text ? (
        // Always laid out, so that the width never changes.
        <span className={cn(FACE, !pending && 'invisible')} aria-hidden={!pending}>
          <LoaderCircle className="animate-spin" aria-hidden="true" />
          {text}
        </span>
      ) : null}
    </Button>
  );
}
