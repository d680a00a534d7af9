import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';

/** The width at which the server keeps a picture for a thread, also on dense screens. */
const THUMBNAIL = 640;

/** A picture in a thread, in a place of one size, so that nothing moves when it comes. A click enlarges it. */
export function Picture({ url, mine, name }: { url: string; mine: boolean; name: string }) {
  const t = useTexts(chat);
  const label = mine ? t('imageYours') : t('imageFrom', { name });
  const small = url.startsWith('data:') ? url : `${url}?w=${THUMBNAIL}`;
  return (
    <Dialog>
      <DialogTrigger className="bubble bubble--img">
        <img src={small} alt={label} loading="lazy" width={280} height={210} />
      </DialogTrigger>
      <DialogContent title={label} className="picdialog">
        <img src={url} alt={label} />
      </DialogContent>
    </Dialog>
  );
}
