import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that its success removes: returns the button's ref, and moves its focus to `next`,
 * or to the page if that is missing.
 */
export function useFocusNext(next?: RefObject<HTMLElement | null>) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const leaving = button.current;
    const place = () => next?.current ?? document.getElementById('main');
    return () => {
      if (leaving === null || leaving !== document.activeElement) return;
      // The replacement is mounted after this commit.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        place()?.focus({ preventScroll: true });
      });
    };
  }, [next]);
  return button;
}
