import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** SPEC §9: how near to the bottom the view must be for new messages to be followed. */
const NEAR = 50;
/** How far from the top older messages are asked for. */
const EARLY = 600;

export type Follow = {
  /** The ref of what scrolls; its one child holds the rows. */
  setBox: (box: HTMLDivElement | null) => void;
  /** Whether the view is at the end, within 50 px. */
  atEnd: boolean;
  toEnd: () => void;
  onScroll: () => void;
};

function toBottom(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight;
}

/** Moves the view with something that has moved. */
function moveAlong(box: HTMLElement, { element, top }: Anchor): void {
  if (element.isConnected) box.scrollTop += element.offsetTop - top;
}

type Anchor = { element: HTMLElement; top: number };
type Ends = { first: string | undefined; last: string | undefined };

/**
 * The scrolling of a list that grows at both ends: it opens at its end and stays there while it grows, but only when the view was within 50 px of
 * it; what is put before the first row moves nothing. Rows are the elements with a data-row. `onTop` is called when the beginning comes near.
 */
export function useFollow({ first, last }: Ends, onTop: () => void): Follow {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const pinned = useRef(true);
  const anchor = useRef<Anchor | null>(null);
  const [atEnd, setAtEnd] = useState(true);
  const comeNear = useEffectEvent(() => {
    if (box && box.scrollTop < EARLY) onTop();
  });

  useLayoutEffect(() => {
    if (!box) return;
    if (pinned.current) toBottom(box);
    else if (anchor.current) moveAlong(box, anchor.current);
    // The bubble, not the row: the row loses its day when an older message takes it over.
    const element = box.querySelector<HTMLElement>('[data-row] > :last-child');
    anchor.current = element && { element, top: element.offsetTop };
    comeNear();
  }, [box, first, last]);

  useEffect(() => {
    if (!box) return;
    // The keyboard of a phone, a longer composer, a typing sign.
    const observer = new ResizeObserver(() => {
      if (pinned.current) toBottom(box);
    });
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [box]);

  return {
    setBox,
    atEnd,
    toEnd: () => {
      pinned.current = true;
      setAtEnd(true);
      if (box) toBottom(box);
    },
    onScroll: () => {
      if (!box) return;
      pinned.current = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR;
      setAtEnd(pinned.current);
      if (box.scrollTop < EARLY) onTop();
    },
  };
}
