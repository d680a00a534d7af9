import { useEffect, useEffectEvent } from 'react';

const THRESHOLD = 60;
// Touches that start here have other effects.
const IGNORED_TARGETS = 'input, textarea, select, [role=dialog], [role=alertdialog], [data-slot=tabs-nav], [data-slot=drawer]';

/** Calls `onSwipe` after a mostly horizontal swipe to the right. */
export function useSwipeRight(onSwipe: () => void): void {
  const swiped = useEffectEvent(onSwipe);
  useEffect(() => {
    let start: { x: number; y: number } | null = null;
    const began = (event: TouchEvent) => {
      const touch = event.touches.length === 1 ? event.touches[0] : undefined;
      const elsewhere = event.target instanceof Element && event.target.closest(IGNORED_TARGETS) !== null;
      start = touch && !elsewhere ? { x: touch.clientX, y: touch.clientY } : null;
    };
    const ended = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!start || !touch) return;
      const right = touch.clientX - start.x;
      const aside = Math.abs(touch.clientY - start.y);
      start = null;
      if (right > THRESHOLD && right > aside) swiped();
    };
    const cancelled = () => {
      start = null;
    };
    window.addEventListener('touchstart', began, { passive: true });
    window.addEventListener('touchend', ended, { passive: true });
    window.addEventListener('touchcancel', cancelled, { passive: true });
    return () => {
      window.removeEventListener('touchstart', began);
      window.removeEventListener('touchend', ended);
      window.removeEventListener('touchcancel', cancelled);
    };
  }, []);
}
