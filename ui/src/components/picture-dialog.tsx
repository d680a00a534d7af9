import { DialogPanel } from './dialog-panel';

/** A picture as large as the window: with its title on a wide screen, alone on black on a phone. The content of a Dialog. */
export function PictureDialog({ title, src, alt }: { title: string; src: string; alt: string }) {
  return (
    <DialogPanel
      title={title}
      className="w-max max-w-[min(1312px,calc(100vw-32px))] max-xs:inset-0 max-xs:grid max-xs:h-dvh max-xs:max-h-none max-xs:w-full max-xs:max-w-none max-xs:place-items-center max-xs:border-0 max-xs:bg-black max-xs:p-0 max-xs:[&>button]:bg-black max-xs:[&>button]:text-white max-xs:[&>div]:sr-only"
    >
      <img src={src} alt={alt} className="mx-auto max-h-[calc(100dvh-140px)] touch-pinch-zoom max-xs:max-h-dvh" />
    </DialogPanel>
  );
}
