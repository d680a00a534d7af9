import { useCreateStore, useSelector } from '@tanstack/react-store';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** How near to the bottom the view must be for new messages to be followed (docs/rules.md#chat-screens). */
const NEAR = 50;
/** How far from the top older messages are asked for. */
const EARLY = 600;

export type ScrollFollow = {
  /** The ref of what scrolls; its one child holds the rows. */
  setBox: (box: HTMLDivElement | null) => void;
  /** Whether the view is at the end, within 50 px. */
  atEnd: boolean;
  /** The newest message when the view was last at the end. */
  seen: string | undefined;
  toEnd: () => void;
  onScroll: () => void;
};

function toBottom(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight;
}

/** How far below the beginning of the list something is. */
function topOf(element: HTMLElement, box: HTMLElement): number {
  return element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

/** Moves the view with something that has moved. */
function moveAlong(box: HTMLElement, { element, top }: Anchor): void {
  if (element.isConnected) box.scrollTop += topOf(element, box) - top;
}

type Anchor = { element: HTMLElement; top: number };
/** The first and the last row, and the newest message that has been sent. */
type Ends = { first: string | undefined; last: string | undefined; newest: string | undefined };

/**
 * The scrolling of a list that grows at both ends: it opens at its end and stays there while it grows, but only when the view was within 50 px of
 * it; what is put before the first row moves nothing. Rows are the elements with a data-row. `onTop` is called when the beginning comes near.
 */
export function useScrollFollow({ first, last, newest }: Ends, onTop: () => void): ScrollFollow {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const anchor = useRef<Anchor | null>(null);
  // As it was when it was last looked at: the question is where the view was before the list grew, and scroll events come a frame late.
  const known = useRef({ height: 0, room: 0 });
  const place = useCreateStore({ atEnd: true, seen: newest });
  const atEnd = useSelector(place, (is) => is.atEnd);
  const seen = useSelector(place, (is) => is.seen);
  const wasNear = (it: HTMLElement) => known.current.height - it.scrollTop - known.current.room <= NEAR;
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
    // A message may come between a scroll and its event: it has not been seen then.
    note(near);
    // The bubble, not the row: the row loses its day when an older message takes it over.
    const element = it.querySelector<HTMLElement>('[data-row] > :last-child');
    anchor.current = element && { element, top: topOf(element, it) };
    if (it.scrollTop < EARLY) onTop();
  };
  const grown = useEffectEvent(settle);
  const resized = (it: HTMLElement) => it.scrollHeight !== known.current.height || it.clientHeight !== known.current.room;

  useLayoutEffect(() => {
    if (box) grown(box);
  }, [box, first, last]);

  useEffect(() => {
    if (!box) return;
    // The keyboard of a phone, a longer composer, a typing sign.
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
      // A scroll comes before the news of a change of size in the same frame, and would hide where the view was.
      if (resized(box)) settle(box);
      look(box);
      if (box.scrollTop < EARLY) onTop();
    },
  };
}
