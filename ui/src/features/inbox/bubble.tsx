import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

export const COLUMN = 'mx-auto w-full max-w-[784px] px-gutter';

/** Messages of one group are closer together. */
export const MESSAGE = 'relative pt-[3px] data-starts:pt-4';

const MINE = 'rounded-[12px_2px_2px_12px]';
const SENT = 'bg-holder-own text-holder-own-foreground';

/** Received, of a deleted account, or one's own (sent, pending, failed). */
export const bubbleVariants = cva(
  'min-w-0 overflow-clip px-3.5 py-2.5 leading-[1.45] wrap-anywhere whitespace-pre-wrap [&:lang(bn)]:leading-[1.6]',
  {
    variants: {
      state: {
        received: 'rounded-[2px_12px_12px_2px] bg-secondary',
        sent: [MINE, SENT],
        pending: [MINE, SENT, 'opacity-72'],
        erased: 'rounded-[2px_12px_12px_2px] border bg-background text-sm text-muted-foreground',
        failed: [MINE, 'border border-destructive bg-background'],
      },
    },
  },
);

export type BubbleState = 'received' | 'erased' | 'sent' | 'pending' | 'failed';

export function MessageSide({ mine, children }: { mine: boolean; children: ReactNode }) {
  return (
    <div className={cn('grid max-w-[min(78%,480px)] gap-0.75', mine ? 'ml-auto justify-items-end' : 'justify-items-start')}>
      {children}
    </div>
  );
}
