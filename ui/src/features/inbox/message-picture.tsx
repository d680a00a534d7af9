import { createContext, use } from 'react';
import type { DirectMessage } from '@/api/contract';
import { PictureDialog, type Shown } from '@/components/picture-dialog';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
import { useShownPictures } from '@/entities/deal/deal-pictures';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { type BubbleState, bubbleVariants } from './bubble';

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

function Enlarged({ url, label, name }: { url: string; label: string; name: string }) {
  return <PictureDialog title={label} src={url} alt={label} all={useThreadPictures(name)} />;
}

/** A picture of constant size, so that nothing moves when it loads. A click enlarges it. */
export function MessagePicture({ url, state, name }: { url: string; state: BubbleState; name: string }) {
  const t = useTexts(chat);
  const mine = state !== 'received';
  const label = mine ? t('imageYours') : t('imageFrom', { name });
  const small = url.startsWith('data:') ? url : `${url}?w=${THUMBNAIL}`;
  return (
    <Dialog>
      <DialogTrigger className={cn(bubbleVariants({ state }), 'cursor-zoom-in p-1')}>
        <img
          src={small}
          alt={label}
          loading="lazy"
          width={280}
          height={210}
          className={cn('aspect-4/3 bg-muted object-cover', mine ? 'rounded-[8px_1px_1px_8px]' : 'rounded-[1px_8px_8px_1px]')}
        />
      </DialogTrigger>
      <Enlarged url={url} label={label} name={name} />
    </Dialog>
  );
}
