import { useEffect, useEffectEvent } from 'react';
import { useShortcutsOn } from './shortcuts-setting';

const TYPING = 'input, textarea, select, [contenteditable="true"]';
/** What lies over the page. The drawer stands beside the list. */
const IN_FRONT = '[role="alertdialog"], [role="dialog"]:not([data-slot="drawer"]), [role="menu"]';

/** The letter of a key or the slash, also on a Bangla keyboard, where the key types another one. */
function letterOf(event: KeyboardEvent): string {
  return /^[a-z/]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace('Key', '').toLowerCase();
}

/** Single letters as commands, unless they are switched off. Not while something is typed, nor while a dialog or a menu is in front. */
export function useShortcuts(commands: Record<string, () => void>): void {
  const on = useShortcutsOn();
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!on) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest(TYPING)) return;
    if (document.querySelector(IN_FRONT)) return;
    const command = commands[letterOf(event)];
    if (!command) return;
    event.preventDefault();
    command();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
