import { PictureDialog } from '@/components/picture-dialog';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { type BubbleState, bubbleVariants } from './bubble';

/** The width at which the server keeps a picture for a thread, also on dense screens. */
const THUMBNAIL = 640;

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
      <PictureDialog title={label} src={url} alt={label} />
    </Dialog>
  );
}
