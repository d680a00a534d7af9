import type { Key } from '@/i18n';
import type { admin } from '@/i18n/en/admin';

type Meaning = Extract<Key<typeof admin>, `key.${string}`>;
/** A key and its meaning, on paths with the prefix `on` or everywhere. */
export type Shortcut = { letters: readonly string[]; does: Meaning; on?: string };

export const SHORTCUTS: readonly Shortcut[] = [
  { letters: ['J', 'K'], does: 'key.move' },
  { letters: ['/'], does: 'key.search', on: '/admin/deposit' },
  { letters: ['A'], does: 'key.approve', on: '/admin/deposit' },
  { letters: ['R'], does: 'key.reject', on: '/admin/deposit' },
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
  const own = SHORTCUTS.filter(({ on }) => on !== undefined && pathname.startsWith(on));
  return own.length > 0 ? [...SHORTCUTS.filter(({ on }) => on === undefined), ...own] : [];
}
