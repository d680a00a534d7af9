import { createContext, use } from 'react';
import type { DirectMessage } from '@/api/contract';
import { PictureDialog, type Shown } from '@/components/picture-dialog';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
import { useShownPictures } from '@/entities/deal/deal-pictures';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { type BubbleState, bubbleVariants } from './bubble';

/** The width at which the server keeps a picture for a thread, also on dense screens. */
const THUMBNAIL = 640;

type Thread = { messages: readonly DirectMessage[]; me: string };

/** The thread whose pictures one goes through from any of them. */
export const PicturesOf = createContext<Thread>({ messages: [], me: '' });

/** All pictures of the thread in their order, those of deliveries among them. */
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

/** The enlarged picture, and from there those before and after it in the thread. */
function Enlarged({ url, label, name }: { url: string; label: string; name: string }) {
  return <PictureDialog title={label} src={url} alt={label} all={useThreadPictures(name)} />;
}

/** A picture in a thread, in a place of one size, so that nothing moves when it comes. A click enlarges it. */
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
