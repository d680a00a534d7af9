import { DRAFT, UNSENT } from './storage';

// Stored data has an owner, so that no user finds another's.

/**
 * Keys of the device's storage, each with its `owner`: the last open conversation, hidden warnings,
 * the last balance and deals, that pushes are on, and the posts seen last
 * (docs/rules.md#device-storage).
 */
export const SELECTION = 'chat-storage';
export const DISMISSED = 'chat-warnings';
export const LAST_SEEN = 'last-seen';
export const PUSHES = 'pushes';
export const RECENT_POSTS = 'last-posts';
const AUTHOR = 'words-of';
const STORED = new RegExp(`^(${DRAFT}|${UNSENT}|${AUTHOR})`);

const listeners = new Set<() => void>();
/** Registers a listener that drops input in memory. */
export function onStorageCleared(forget: () => void): void {
  listeners.add(forget);
}

/** Removes a device key, unless it belongs to this user. */
export function dropStored(name: string, userId?: string): void {
  try {
    const stored = userId && (JSON.parse(localStorage.getItem(name) ?? 'null') as { owner?: unknown } | null);
    if (!stored || stored.owner !== userId) localStorage.removeItem(name);
  } catch {
    // Nothing is stored, or nothing readable.
  }
}

function dropOwned(userId?: string): void {
  for (const name of [SELECTION, DISMISSED, LAST_SEEN, PUSHES, RECENT_POSTS]) dropStored(name, userId);
}

export function clearStorage(): void {
  for (const forget of listeners) forget();
  dropOwned();
  try {
    for (const name of Object.keys(sessionStorage)) if (STORED.test(name)) sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
}

/** Makes this user the owner of the tab's input, and removes that of others. */
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
