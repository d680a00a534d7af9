import { useRef, useState } from 'react';
import type { DealPicture } from '@/api/contract';
import type { Shown } from '@/components/picture-dialog';
import { useLatePart } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { dealWords } from '@/i18n/en/deal-line';
import { cn } from '@/lib/cn';

const THUMBNAIL = 320;

type Pictured = Pick<DealPicture, 'url'>;

/** Names the pictures of a delivery; `from` is the deliverer, null for the reader. */
export function useShownPictures(): (pictures: readonly Pictured[], from: string | null) => Shown[] {
  const t = useTexts(dealWords);
  return (pictures, from) =>
    pictures.map(({ url }, index) => {
      const place = { at: index + 1, count: pictures.length };
      return { src: url, alt: from === null ? t('pictureYours', place) : t('picture', { name: from, ...place }) };
    });
}

type Props = {
  pictures: readonly Pictured[];
  from: string | null;
  /** The pictures to page through when enlarged; by default these. */
  all?: readonly Shown[];
  className?: string;
};

const loadViewer = () => import('./picture-viewer');

export function DealPictures({ pictures, from, all, className }: Props) {
  const shown = useShownPictures()(pictures, from);
  const [enlarged, setEnlarged] = useState<Shown | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setEnlarged(null);
  const viewer = useLatePart(loadViewer, enlarged !== null, close);
  return (
    <div data-slot="deal-pictures" className={cn('flex flex-wrap gap-2 *:size-20', className)}>
      {shown.map((one) => (
        <button
          key={one.src}
          type="button"
          aria-haspopup="dialog"
          className="cursor-zoom-in border bg-muted"
          onClick={({ currentTarget }) => {
            opener.current = currentTarget;
            setEnlarged(one);
          }}
        >
          <img src={`${one.src}?w=${THUMBNAIL}`} alt={one.alt} loading="lazy" className="size-full object-cover" />
        </button>
      ))}
      {viewer ? <viewer.Part shown={enlarged} all={all ?? shown} opener={opener} onClose={close} /> : null}
    </div>
  );
}
