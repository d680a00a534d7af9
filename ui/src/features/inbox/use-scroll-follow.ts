import { useCreateStore, useSelector } from '@tanstack/react-store';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** New messages are followed within this distance of the end (docs/rules.md#chat-screens). */
const END_MARGIN = 50;
/** Older messages are requested within this distance of the top. */
const LOAD_MARGIN = 600;

export type ScrollFollow = {
  /** The ref of the scroller; its single child contains the rows. */
  setBox: (box: HTMLDivElement | null) => void;
  atEnd: boolean;
  seen: string | undefined;
  toEnd: () => void;
  onScroll: () => void;
};

function toBottom(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight;
}

function topOf(element: HTMLElement, box: HTMLElement): number {
  return element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

function moveAlong(box: HTMLElement, { element, top }: Anchor): void {
  if (element.isConnected) box.scrollTop += topOf(element, box) - top;
}

type Anchor = { element: HTMLElement; top: number };
type Ends = { first: string | undefined; last: string | undefined; newest: string | undefined };

/**
 * Scrolling of a list that grows at both ends. It opens at its end and stays there while it grows,
 * if the view was within 50 px of it; rows added at the top move nothing. Rows have the attribute
 * data-row. `onTop` is called near the top.
 */
export function useScrollFollow({ first, last, newest }: Ends, onTop: () => void): ScrollFollow {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const anchor = useRef<Anchor | null>(null);
  // The last known sizes: what counts is the view before the list grew, and scroll events come a
  // frame late.
  const known = useRef({ height: 0, room: 0 });
  const place = useCreateStore({ atEnd: true, seen: newest });
  const atEnd = useSelector(place, (is) => is.atEnd);
  const seen = useSelector(place, (is) => is.seen);
  const wasNear = (it: HTMLElement) => known.current.height - it.scrollTop - known.current.room <= END_MARGIN;
  const measure = (it: HTMLElement) => {
    known.current = { height: it.scrollHeight, room: it.clientHeight };
  };
  const note = (near: boolean) => place.setState((was) => ({ atEnd: near, seen: near ? newest : was.seen }));
  const look = (it: HTMLElement) => {
    measure(it);
    note(wasNear(it));
  };
  const settle = (it: HTMLElement) => {
    const near = wasNear(it);
    if (near) toBottom(it);
    else if (anchor.current) moveAlong(it, anchor.current);
    measure(it);
    // A message that comes between a scroll and its event has not been seen.
    note(near);
    // The bubble, because the row's day heading moves to an older message.
    const element = it.querySelector<HTMLElement>('[data-row] > :last-child');
    anchor.current = element && { element, top: topOf(element, it) };
    if (it.scrollTop < LOAD_MARGIN) onTop();
  };
  const grown = useEffectEvent(settle);
  const resized = (it: HTMLElement) => it.scrollHeight !== known.current.height || it.clientHeight !== known.current.room;

  useLayoutEffect(() => {
    if (box) grown(box);
  }, [box, first, last]);

  useEffect(() => {
    if (!box) return;
    // The on-screen keyboard, a longer composer, or the typing sign changed the size.
    const observer = new ResizeObserver(() => grown(box));
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [box]);

  return {
    setBox,
    atEnd,
    seen,
    toEnd: () => {
      if (!box) return;
      toBottom(box);
      look(box);
    },
    onScroll: () => {
      if (!box) return;
      // A scroll event precedes the resize in the same frame, and would hide the former position.
      if (resized(box)) settle(box);
      look(box);
      if (box.scrollTop < LOAD_MARGIN) onTop();
    },
  };
}
