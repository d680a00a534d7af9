import { type RefObject, useEffect, useRef } from 'react';
import type { DealActions } from '../actions/use-deal-actions';

function focusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function giveBack(element: HTMLElement | null): boolean {
  if (!element?.isConnected) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Keeps the keyboard's place: after a question the focus goes back to the button that asked it; where that button is gone with the state it
 * belonged to, to the heading of what can be done now.
 */
export function useFocusKeeper(actions: DealActions, state: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLElement>(null);
  const before = useRef({ asked: actions.asked, state });
  useEffect(() => {
    const { asked: askedBefore, state: stateBefore } = before.current;
    before.current = { asked: actions.asked, state };
    if (askedBefore === actions.asked && stateBefore === state) return;
    // After the closing dialog has let go of the focus.
    const timer = setTimeout(() => {
      if (focusLost() && !giveBack(opener.current)) heading.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [actions.asked, state]);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      // Whatever had the focus last outside of the question.
      if (target instanceof HTMLElement && target.closest('[role="alertdialog"], [role="dialog"]') === null)
        opener.current = target;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  return heading;
}
