import { type RefObject, useRef } from 'react';

/**
 * For dialogs that are opened by the address, a key or a call instead of a trigger: `remember` when the dialog takes the focus, `giveBack` when it
 * has closed. Where what had the focus is gone, as an item of a menu is, `fallback` gets it, else the page itself.
 */
export function useReturnFocus(fallback?: RefObject<HTMLElement | null>) {
  const before = useRef<HTMLElement | null>(null);
  return {
    remember: (event: Event) => {
      const dialog = event.currentTarget;
      const { activeElement } = document;
      // In development effects run twice, and the second time the focus is inside already.
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
