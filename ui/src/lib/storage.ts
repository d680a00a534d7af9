/** What this tab keeps of words that were typed or are on their way: drafts of forms, and messages that were not sent. And whose they are. */
export const DRAFT = 'draft:';
export const UNSENT = 'unsent:';
/** On the device, not only in this tab: the conversation that was open last, with its `owner` (docs/rules.md#device-storage). */
export const SELECTION = 'chat-storage';
const AUTHOR = 'words-of';
const KEPT = new RegExp(`^(${DRAFT}|${UNSENT}|${AUTHOR})`);

const holders = new Set<() => void>();
let keeping = true;

/** Whether words are kept from now on. Not by a page that has become somebody else's: what stands in its forms is not his. */
export function enableStorage(on: boolean): void {
  keeping = on;
}

/** Keeps words under a name that begins with one of those above. Throws where the browser does not let it, or has no room. */
export function storeForTab(name: string, words: unknown): void {
  if (keeping) sessionStorage.setItem(name, JSON.stringify(words));
}

/** Whoever has such words in memory, too, forgets them with the rest. */
export function onStorageCleared(forget: () => void): void {
  holders.add(forget);
}

/** Whether what is stored as SELECTION belongs to this user. */
function ownsSelection(userId: string): boolean {
  try {
    const stored = JSON.parse(localStorage.getItem(SELECTION) ?? 'null') as { owner?: unknown } | null;
    return stored?.owner === userId;
  } catch {
    return false;
  }
}

/** Removes what is stored as SELECTION. */
export function dropSelection(): void {
  try {
    localStorage.removeItem(SELECTION);
  } catch {
    // Nothing was stored then.
  }
}

/** Who goes leaves no words behind, nor with whom they talked last. */
export function clearStorage(): void {
  for (const forget of holders) forget();
  dropSelection();
  try {
    for (const name of Object.keys(sessionStorage)) if (KEPT.test(name)) sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept then.
  }
}

/** From now on the tab keeps the words of this user; those of anybody else are forgotten. */
export function claimStorage(userId: string): void {
  if (!ownsSelection(userId)) dropSelection();
  try {
    const before = sessionStorage.getItem(AUTHOR);
    if (before !== null && before !== userId) clearStorage();
    sessionStorage.setItem(AUTHOR, userId);
  } catch {
    // Without storage nothing is kept.
  }
}
