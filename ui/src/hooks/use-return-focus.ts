import { type RefObject, useRef } from 'react';

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
