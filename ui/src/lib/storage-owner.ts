import { DRAFT, UNSENT } from './storage';

// Whose what is stored is: nobody finds anything of another.

/**
 * On the device, not only in this tab, each with its `owner`: the conversation that was open last, the warnings that were hidden, the balance and
 * deals that were seen last, and that this browser shows pushes (docs/rules.md#device-storage).
 */
export const SELECTION = 'chat-storage';
export const DISMISSED = 'chat-warnings';
export const LAST_SEEN = 'last-seen';
export const PUSHES = 'pushes';
/** In the tab: whose its input is. */
const AUTHOR = 'words-of';
const STORED = new RegExp(`^(${DRAFT}|${UNSENT}|${AUTHOR})`);

const listeners = new Set<() => void>();
/** Registers what else is to be forgotten: input that a module has in memory, too. */
export function onStorageCleared(forget: () => void): void {
  listeners.add(forget);
}

/** Removes what is stored on the device under a name, unless it belongs to this user. */
export function dropStored(name: string, userId?: string): void {
  try {
    const stored = userId && (JSON.parse(localStorage.getItem(name) ?? 'null') as { owner?: unknown } | null);
    if (!stored || stored.owner !== userId) localStorage.removeItem(name);
  } catch {
    // Nothing is stored then, or nothing that anybody can read.
  }
}

function dropOwned(userId?: string): void {
  for (const name of [SELECTION, DISMISSED, LAST_SEEN, PUSHES]) dropStored(name, userId);
}

/** Removes all input, and what is stored on the device. */
export function clearStorage(): void {
  for (const forget of listeners) forget();
  dropOwned();
  try {
    for (const name of Object.keys(sessionStorage)) if (STORED.test(name)) sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored then.
  }
}

/** From now on the tab stores the input of this user; that of anybody else is removed. */
export function claimStorage(userId: string): void {
  dropOwned(userId);
  try {
    const before = sessionStorage.getItem(AUTHOR);
    if (before !== null && before !== userId) clearStorage();
    sessionStorage.setItem(AUTHOR, userId);
  } catch {
    // The browser allows no storage.
  }
}
