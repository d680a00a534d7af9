import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/cn';
import { SealMark } from './seal-mark';

type Props = Omit<ComponentProps<typeof Button>, 'asChild'> & {
  /** Work in progress: shows `pendingText` and a spinner in the width the button had, and ignores clicks. */
  pending?: boolean;
  pendingText?: string;
};

/** Both faces lie on each other, so the button keeps its width. */
const FACE = 'col-start-1 row-start-1 flex items-center justify-center gap-[inherit]';

/** A button whose work takes a while. `variant="seal"` brings the mark. */
export function PendingButton({ pending = false, pendingText, className, children, onClick, ...props }: Props) {
  return (
    <Button
      className={cn('inline-grid', pending && 'cursor-progress', className)}
      aria-busy={pending || undefined}
      // Not `disabled`: a busy button keeps the focus, so that a keyboard user does not lose the place.
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      {...props}
    >
      {/* Unseen, it is the button's name as long as there is no other. */}
      <span className={cn(FACE, pending && (pendingText ? 'invisible' : 'opacity-0'))}>
        {props.variant === 'seal' ? <SealMark large={props.size !== 'sm'} /> : null}
        {children}
      </span>
      {pending || pendingText ? (
        // Always laid out, so that the button has the same width before, while and after it is busy.
        <span className={cn(FACE, !pending && 'invisible')} aria-hidden={!pending}>
          <LoaderCircle className="animate-spin" aria-hidden="true" />
          {pendingText}
        </span>
      ) : null}
    </Button>
  );
}
