import { cva } from 'class-variance-authority';
import { createContext, type ReactNode, use, useRef, useState } from 'react';
import type { DirectMessage } from '@/api/contract';
import type { Shown } from '@/components/picture-dialog';
import { useShownPictures } from '@/entities/deal/deal-pictures';
import { useLatePart } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
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

/** The width on the server, for dense screens, too. */
const THUMBNAIL = 640;

type Thread = { messages: readonly DirectMessage[]; me: string };

/** The thread whose pictures the viewer pages through. */
export const PicturesOf = createContext<Thread>({ messages: [], me: '' });

export function useThreadPictures(name: string): Shown[] {
  const t = useTexts(chat);
  const shownOf = useShownPictures();
  const { messages, me } = use(PicturesOf);
  return messages.flatMap(({ image, deal, senderId }) => {
    const mine = senderId === me;
    const pictures = deal ? shownOf(deal.pictures, mine ? null : name) : [];
    return image === '' ? pictures : [{ src: image, alt: mine ? t('imageYours') : t('imageFrom', { name }) }, ...pictures];
  });
}

const loadViewer = () => import('@/entities/deal/picture-viewer');

/** A picture of constant size, so that nothing moves when it loads. A click enlarges it. */
export function MessagePicture({ url, state, name }: { url: string; state: BubbleState; name: string }) {
  const t = useTexts(chat);
  const mine = state !== 'received';
  const label = mine ? t('imageYours') : t('imageFrom', { name });
  const small = url.startsWith('data:') ? url : `${url}?w=${THUMBNAIL}`;
  const all = useThreadPictures(name);
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const viewer = useLatePart(loadViewer, open, close);
  return (
    <>
      <button
        type="button"
        ref={opener}
        aria-haspopup="dialog"
        className={cn(bubbleVariants({ state }), 'cursor-zoom-in p-1')}
        onClick={() => setOpen(true)}
      >
        <img
          src={small}
          alt={label}
          loading="lazy"
          width={280}
          height={210}
          className={cn('aspect-4/3 bg-muted object-cover', mine ? 'rounded-[8px_1px_1px_8px]' : 'rounded-[1px_8px_8px_1px]')}
        />
      </button>
      {viewer ? <viewer.Part shown={open ? { src: url, alt: label } : null} all={all} opener={opener} onClose={close} /> : null}
    </>
  );
}
