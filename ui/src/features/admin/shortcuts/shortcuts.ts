import { createStore, useSelector } from '@tanstack/react-store';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';

const STORAGE_KEY = 'admin-keys';
const OFF = 'off';

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== OFF;
  } catch {
    return true;
  }
}

const enabled = createStore(stored());

/** Turns the single-letter keys on or off for this device (WCAG 2.1.4). */
export function setShortcutsOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, OFF);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
  enabled.setState(() => on);
}

/** For tests. */
export function resetShortcuts(): void {
  enabled.setState(stored);
}

export function useShortcutsOn(): boolean {
  return useSelector(enabled);
}

type Meaning = Extract<Key<typeof admin>, `key.${string}`>;
/** A key and its meaning, on paths with the prefix `on` or everywhere. */
export type Shortcut = { letters: readonly string[]; does: Meaning; on?: string };

const SEARCH: Shortcut = { letters: ['/'], does: 'key.search' };
/** Lists with a search field. */
const SEARCHED = [
  '/admin/deposit',
  '/admin/withdrawal',
  '/admin/deals',
  '/admin/disputes',
  '/admin/corrections',
  '/admin/users',
  '/admin/support-requests',
  '/admin/reports',
];

export const SHORTCUTS: readonly Shortcut[] = [
  { letters: ['J', 'K'], does: 'key.move' },
  SEARCH,
  { letters: ['A'], does: 'key.approve', on: '/admin/deposit' },
  { letters: ['R'], does: 'key.reject', on: '/admin/deposit' },
  { letters: ['N', 'T'], does: 'key.copy', on: '/admin/withdrawal' },
  { letters: ['S'], does: 'key.send', on: '/admin/withdrawal' },
  { letters: ['R'], does: 'key.reject', on: '/admin/withdrawal' },
  { letters: ['C'], does: 'key.complete', on: '/admin/deals' },
  { letters: ['R'], does: 'key.refund', on: '/admin/deals' },
  { letters: ['D'], does: 'key.decide', on: '/admin/disputes' },
  { letters: ['C'], does: 'key.close', on: '/admin/support-requests' },
  { letters: ['A'], does: 'key.act', on: '/admin/reports' },
  { letters: ['D'], does: 'key.dismiss', on: '/admin/reports' },
  { letters: ['U'], does: 'key.uphold', on: '/admin/reports' },
  { letters: ['O'], does: 'key.overturn', on: '/admin/reports' },
];

export function shortcutsOf(pathname: string): readonly Shortcut[] {
  const searched = SEARCHED.includes(pathname);
  const known = SHORTCUTS.filter((key) => (key === SEARCH ? searched : key.on === undefined || pathname.startsWith(key.on)));
  return known.length > 1 ? known : [];
}

const TYPING = 'input, textarea, select, [contenteditable="true"]';
/** Overlays that take the keys. The drawer does not. */
const OVERLAYS = '[role="alertdialog"], [role="dialog"]:not([data-slot="drawer"]), [role="menu"]';

function letterOf(event: KeyboardEvent): string {
  return /^[a-z/]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace('Key', '').toLowerCase();
}

/**
 * Runs commands on single letters while nothing is typed and no overlay is open. With `overlaid`,
 * an overlay does not matter.
 */
export function useShortcuts(commands: Record<string, () => void>, overlaid = false): void {
  const on = useShortcutsOn();
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (!on) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest(TYPING)) return;
    if (!overlaid && document.querySelector(OVERLAYS)) return;
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

/** `/` focuses the search field and selects its text. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useShortcuts({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });
}
