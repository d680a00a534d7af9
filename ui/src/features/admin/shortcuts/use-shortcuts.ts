import { useEffect, useEffectEvent } from 'react';
import { useShortcutsOn } from './shortcuts-setting';

const TYPING = 'input, textarea, select, [contenteditable="true"]';
/** Overlays that take the keys. The drawer does not. */
const OVERLAYS = '[role="alertdialog"], [role="dialog"]:not([data-slot="drawer"]), [role="menu"]';

function letterOf(event: KeyboardEvent): string {
  return /^[a-z/]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace('Key', '').toLowerCase();
}

/** Runs commands on single letters while nothing is typed and no overlay is open. */
export function useShortcuts(commands: Record<string, () => void>): void {
  const on = useShortcutsOn();
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!on) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest(TYPING)) return;
    if (document.querySelector(OVERLAYS)) return;
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
