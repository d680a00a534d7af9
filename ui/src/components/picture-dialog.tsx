import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { DialogClose } from '@/components/ui/dialog';
import { useZoom } from '@/hooks/use-zoom';
import { useTexts } from '@/i18n';
import { pictures as catalogue } from '@/i18n/en/pictures';
import { DialogPanel } from './dialog-panel';

export type Shown = { src: string; alt: string };

type TurnProps = { name: string; Icon: LucideIcon; disabled: boolean; onClick: () => void };

function Turn({ name, Icon, disabled, onClick }: TurnProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      className="max-xs:bg-black max-xs:text-white"
      aria-label={name}
      aria-disabled={disabled}
      onClick={onClick}
    >
      <Icon aria-hidden="true" className={disabled ? 'opacity-40' : undefined} />
    </Button>
  );
}

/** One picture with its zoom; remounted for another one. */
function Enlarged({ src, alt, onTurn }: Shown & { onTurn: (step: 1 | -1) => void }) {
  const close = useRef<HTMLButtonElement>(null);
  const zoom = useZoom({ onClose: () => close.current?.click(), onTurn });
  return (
    <>
      <img
        src={src}
        alt={alt}
        draggable={false}
        className="mx-auto max-h-[calc(100dvh-140px)] max-xs:max-h-dvh max-xs:w-full max-xs:touch-none max-xs:object-contain"
        {...zoom}
      />
      <DialogClose ref={close} className="hidden" />
    </>
  );
}

type Props = Shown & {
  title: string;
  all?: readonly Shown[];
  /** Gets the focus back if the dialog has no trigger. */
  opener?: RefObject<HTMLElement | null>;
};

/**
 * The content of a Dialog: a picture as large as the window. A wide screen shows its title; a phone
 * shows it on black, with pinch or double tap to zoom and swipes to turn or close.
 */
export function PictureDialog({ title, src, alt, all = [], opener }: Props) {
  const t = useTexts(catalogue);
  const [chosen, setChosen] = useState(src);
  const at = all.findIndex((picture) => picture.src === chosen);
  const several = at >= 0 && all.length > 1;
  const turn = (step: 1 | -1) => setChosen(all[at + step]?.src ?? chosen);
  return (
    <DialogPanel
      title={title}
      onOpenAutoFocus={() => setChosen(src)}
      onCloseAutoFocus={(event) => {
        if (!opener) return;
        event.preventDefault();
        opener.current?.focus({ preventScroll: true });
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') turn(1);
        if (event.key === 'ArrowLeft') turn(-1);
      }}
      className="w-max max-w-[min(1312px,calc(100vw-32px))] max-xs:inset-0 max-xs:grid max-xs:h-dvh max-xs:max-h-none max-xs:w-full max-xs:max-w-none max-xs:place-items-center max-xs:overflow-hidden max-xs:border-0 max-xs:bg-black max-xs:p-0 max-xs:*:data-[slot=dialog-header]:sr-only max-xs:[&>button]:z-10 max-xs:[&>button]:bg-black max-xs:[&>button]:text-white"
    >
      <Enlarged key={chosen} {...(all[at] ?? { src, alt })} onTurn={turn} />
      {several ? (
        <div className="mt-3 flex items-center justify-center gap-3 max-xs:absolute max-xs:inset-x-0 max-xs:bottom-[max(12px,env(safe-area-inset-bottom))] max-xs:mt-0 max-xs:text-white">
          <Turn name={t('before')} Icon={ChevronLeft} disabled={at === 0} onClick={() => turn(-1)} />
          <span role="status" aria-live="polite" className="tabular-nums max-xs:bg-black max-xs:px-2">
            {t('place', { at: at + 1, count: all.length })}
          </span>
          <Turn name={t('next')} Icon={ChevronRight} disabled={at === all.length - 1} onClick={() => turn(1)} />
        </div>
      ) : null}
    </DialogPanel>
  );
}
