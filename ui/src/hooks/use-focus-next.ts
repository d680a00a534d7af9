import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that its own success removes: the returned ref is its, and `next` what gets the focus it had. Without such a place, or where it is not
 * on the page, the page itself gets it.
 */
export function useFocusNext(next?: RefObject<HTMLElement | null>) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const leaving = button.current;
    const place = () => next?.current ?? document.getElementById('main');
    return () => {
      if (leaving === null || leaving !== document.activeElement) return;
      // What comes in its place is on the page only after this commit.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        place()?.focus({ preventScroll: true });
      });
    };
  }, [next]);
  return button;
}
