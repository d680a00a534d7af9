import { ChevronLeft, ChevronRight, type LucideIcon, Maximize2 } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Post } from '@/api/contract';
import { Picture } from '@/components/picture';
import { PictureDialog } from '@/components/picture-dialog';
import { Dialog } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { pictures as catalogue } from '@/i18n/en/components';
import { posts } from '@/i18n/en/posts';
import { cn } from '@/lib/cn';

const SIZES = '(min-width: 1024px) 808px, 100vw';
const ON_PICTURE = 'rounded-md border border-border-strong bg-background';

type TurnProps = { name: string; Icon: LucideIcon; className: string; onClick: () => void };

/** Phones swipe instead. */
function Turn({ name, Icon, className, onClick }: TurnProps) {
  return (
    <button
      type="button"
      aria-label={name}
      className={cn(ON_PICTURE, 'absolute top-1/2 hidden size-11 -translate-y-1/2 place-items-center md:grid', className)}
      onClick={onClick}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}

/** The pictures of a post, one at a time: swiped, or turned with arrows and thumbnails. */
export function Gallery({ post: { title, images } }: { post: Post }) {
  const t = useTexts(posts);
  const tPictures = useTexts(catalogue);
  const [at, setAt] = useState(0);
  const [enlarged, setEnlarged] = useState(false);
  const strip = useRef<HTMLUListElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  if (images.length === 0) return null;
  const several = images.length > 1;
  const all = images.map((src, index) => ({
    src,
    alt: several ? t('post.pictureAt', { title, at: index + 1, count: images.length }) : t('post.picture', { title }),
  }));
  const slideOf = (index: number) => strip.current?.children[index]?.querySelector('button');
  const turn = (to: number, focus = false) => {
    const slide = slideOf(to);
    if (!slide || !strip.current) return;
    strip.current.scrollTo({ left: to * strip.current.clientWidth });
    setAt(to);
    if (focus) slide.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    turn(at + step, true);
  };
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <div className="relative">
        <ul
          ref={strip}
          className="flex aspect-4/3 snap-x snap-mandatory scrollbar-none overflow-x-auto overscroll-x-contain border-t-2 border-foreground bg-secondary motion-safe:scroll-smooth"
          onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => setAt(Math.round(scrollLeft / Math.max(1, clientWidth)))}
        >
          {all.map(({ src, alt }, index) => (
            <li key={src} className="size-full flex-none snap-center">
              <button
                type="button"
                aria-haspopup="dialog"
                aria-label={
                  several
                    ? `${t('post.enlarge')}: ${tPictures('place', { at: index + 1, count: all.length })}`
                    : t('post.enlarge')
                }
                tabIndex={index === at ? 0 : -1}
                className="block size-full cursor-zoom-in -outline-offset-2"
                onKeyDown={onKeyDown}
                onClick={({ currentTarget }) => {
                  opener.current = currentTarget;
                  setAt(index);
                  setEnlarged(true);
                }}
              >
                <Picture className="size-full object-contain" url={src} alt={alt} sizes={SIZES} eager={index === 0} />
              </button>
            </li>
          ))}
        </ul>
        <Maximize2 className={cn(ON_PICTURE, 'pointer-events-none absolute right-3 bottom-3 size-9 p-2')} aria-hidden="true" />
        {several ? (
          <>
            {at > 0 ? (
              <Turn name={tPictures('before')} Icon={ChevronLeft} className="left-3" onClick={() => turn(at - 1)} />
            ) : null}
            {at < all.length - 1 ? (
              <Turn name={tPictures('next')} Icon={ChevronRight} className="right-3" onClick={() => turn(at + 1)} />
            ) : null}
            <span
              role="status"
              aria-live="polite"
              className={cn(ON_PICTURE, 'pointer-events-none absolute bottom-3 left-3 px-2 py-1 text-sm tabular-nums')}
            >
              {tPictures('place', { at: at + 1, count: all.length })}
            </span>
          </>
        ) : null}
      </div>
      {several ? (
        <ul className="hidden gap-2 md:grid md:grid-cols-8">
          {all.map(({ src, alt }, index) => (
            <li key={src} className="aspect-square">
              <button
                type="button"
                aria-label={alt}
                aria-current={index === at}
                className={cn('size-full border-2 bg-secondary', index === at ? 'border-foreground' : 'border-transparent')}
                onClick={() => turn(index)}
              >
                <Picture className="size-full object-cover" url={src} alt="" sizes="92px" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <Dialog open={enlarged} onOpenChange={setEnlarged}>
        <PictureDialog title={title} {...(all[at] ?? { src: '', alt: '' })} all={all} opener={opener} />
      </Dialog>
    </div>
  );
}
