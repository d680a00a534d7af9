import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { type CSSProperties, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { DialogClose } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { pictures as catalogue } from '@/i18n/en/components';
import { DialogPanel } from './dialog-panel';

type Point = { x: number; y: number };
type View = Point & { scale: number };

const UNZOOMED: View = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 5;
const DOUBLE_TAP = { scale: 2.5, within: 300, near: 24 };
/** The length of a swipe in pixels: down to close, sideways to turn. */
const CLOSE_DISTANCE = 90;
const TURN_DISTANCE = 60;

const between = ([a, b]: Point[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0);

const middle = (points: Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** Zooms so that the point under `from` moves to `to`, both relative to the window's centre. */
function zoomed(view: View, wanted: number, from: Point, to: Point): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, wanted));
  const by = scale / view.scale;
  return { scale, x: to.x - (from.x - view.x) * by, y: to.y - (from.y - view.y) * by };
}

const atMost = (value: number, most: number) => Math.min(most, Math.max(-most, value));

/** Moves the view so that an enlarged picture leaves no gap it can fill. */
function clamped({ scale, x, y }: View, { offsetWidth, offsetHeight }: HTMLElement): View {
  if (scale <= 1) return UNZOOMED;
  const over = (size: number, room: number) => Math.max(0, (size * scale - room) / 2);
  return { scale, x: atMost(x, over(offsetWidth, window.innerWidth)), y: atMost(y, over(offsetHeight, window.innerHeight)) };
}

type Options = {
  onClose: () => void;
  onTurn: (step: 1 | -1) => void;
};

/**
 * Touch gestures on a centred picture. A pinch or a double tap zooms, and one finger pans; at scale
 * 1, a swipe down closes, and one to a side turns to another picture.
 */
function useZoom({ onClose, onTurn }: Options) {
  const [view, setView] = useState(UNZOOMED);
  const fingers = useRef(new Map<number, Point>());
  const swipe = useRef<Point | null>(null);
  const tap = useRef<(Point & { at: number }) | null>(null);

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({
    x: clientX - window.innerWidth / 2,
    y: clientY - window.innerHeight / 2,
  });

  const down = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    fingers.current.set(event.pointerId, point);
    swipe.current = fingers.current.size === 1 ? point : null;
  };

  const move = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.has(event.pointerId)) return;
    const before = [...fingers.current.values()];
    fingers.current.set(event.pointerId, pointOf(event));
    const now = [...fingers.current.values()];
    const wider = before.length === 2 ? between(now) / Math.max(1, between(before)) : 1;
    const [from, to, picture, start] = [middle(before), middle(now), event.currentTarget, swipe.current];
    setView((last) => {
      if (last.scale * wider > 1) return clamped(zoomed(last, last.scale * wider, from, to), picture);
      if (!start) return UNZOOMED;
      const by = { x: to.x - start.x, y: to.y - start.y };
      return Math.abs(by.x) > Math.abs(by.y) ? { ...UNZOOMED, x: by.x } : { ...UNZOOMED, y: Math.max(0, by.y) };
    });
  };

  const tapped = (at: Point, time: number, picture: HTMLElement) => {
    const before = tap.current;
    const again = before !== null && time - before.at < DOUBLE_TAP.within && between([before, at]) < DOUBLE_TAP.near;
    tap.current = again ? null : { ...at, at: time };
    if (again) setView((last) => (last.scale > 1 ? UNZOOMED : clamped(zoomed(last, DOUBLE_TAP.scale, at, at), picture)));
  };

  const up = (event: PointerEvent<HTMLElement>) => {
    if (!fingers.current.delete(event.pointerId)) return;
    const start = swipe.current;
    swipe.current = null;
    if (!start) return;
    const now = pointOf(event);
    const lifted = event.type === 'pointerup';
    if (lifted && between([start, now]) < DOUBLE_TAP.near) {
      tapped(now, event.timeStamp, event.currentTarget);
      return;
    }
    if (view.scale > 1) return;
    setView(UNZOOMED);
    const by = { x: now.x - start.x, y: now.y - start.y };
    const aside = Math.abs(by.x) > Math.abs(by.y);
    if (!lifted) return;
    if (aside && Math.abs(by.x) > TURN_DISTANCE) onTurn(by.x < 0 ? 1 : -1);
    else if (!aside && by.y > CLOSE_DISTANCE) onClose();
  };

  const style: CSSProperties = { transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` };
  return {
    style: view === UNZOOMED ? undefined : style,
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: up,
  };
}

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
