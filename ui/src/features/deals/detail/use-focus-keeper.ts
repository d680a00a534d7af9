import { type RefObject, useEffect, useRef } from 'react';
import type { DealActions } from '../actions/use-deal-actions';

function focusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function returnFocus(element: HTMLElement | null): boolean {
  if (!element?.isConnected) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Returns the focus after a dialog to its button, or else to the panel's heading. */
export function useFocusKeeper(actions: DealActions, state: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLElement>(null);
  const before = useRef({ asked: actions.asked, state });
  useEffect(() => {
    const { asked: askedBefore, state: stateBefore } = before.current;
    before.current = { asked: actions.asked, state };
    if (askedBefore === actions.asked && stateBefore === state) return;
    // After the closing dialog has released the focus.
    const timer = setTimeout(() => {
      if (focusLost() && !returnFocus(opener.current)) heading.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [actions.asked, state]);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      // The last focused element outside a dialog.
      if (target instanceof HTMLElement && target.closest('[role="alertdialog"], [role="dialog"]') === null)
        opener.current = target;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  return heading;
}
