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

/**
 * Focus for dialogs opened by the address, a key or a call instead of a trigger: `remember` when
 * the dialog takes the focus, `giveBack` when it has closed. If the earlier element is gone, as an
 * item of a menu is, `fallback` gets the focus, or else the page.
 */
export function useReturnFocus(fallback?: RefObject<HTMLElement | null>) {
  const before = useRef<HTMLElement | null>(null);
  return {
    remember: (event: Event) => {
      const dialog = event.currentTarget;
      const { activeElement } = document;
      // In development effects run twice; the second time, the focus is already inside.
      if (dialog instanceof Node && dialog.contains(activeElement)) return;
      before.current = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    },
    giveBack: (event: Event) => {
      event.preventDefault();
      const place = before.current?.isConnected ? before.current : (fallback?.current ?? document.getElementById('main'));
      place?.focus({ preventScroll: true });
    },
  };
}
