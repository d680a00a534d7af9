import { forgetSelection, selectedConversation } from './chat/selection';

/** What this tab keeps of words that were typed or are on their way: drafts of forms, and messages that were not sent. And whose they are. */
export const DRAFT = 'draft:';
export const UNSENT = 'unsent:';
const AUTHOR = 'words-of';
const KEPT = new RegExp(`^(${DRAFT}|${UNSENT}|${AUTHOR})`);

const holders = new Set<() => void>();
let keeping = true;

/** Whether words are kept from now on. Not by a page that has become somebody else's: what stands in its forms is not his. */
export function setKeeping(on: boolean): void {
  keeping = on;
}

/** Keeps words under a name that begins with one of those above. Throws where the browser does not let it, or has no room. */
export function keepWords(name: string, words: unknown): void {
  if (keeping) sessionStorage.setItem(name, JSON.stringify(words));
}

/** Whoever has such words in memory, too, forgets them with the rest. */
export function whenForgotten(forget: () => void): void {
  holders.add(forget);
}

/** Who goes leaves no words behind, nor with whom they talked last. */
export function forgetWords(): void {
  for (const forget of holders) forget();
  forgetSelection();
  try {
    for (const name of Object.keys(sessionStorage)) if (KEPT.test(name)) sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept then.
  }
}

/** From now on the tab keeps the words of this user; those of anybody else are forgotten. */
export function keepWordsOf(userId: string): void {
  if (selectedConversation(userId) === null) forgetSelection();
  try {
    const before = sessionStorage.getItem(AUTHOR);
    if (before !== null && before !== userId) forgetWords();
    sessionStorage.setItem(AUTHOR, userId);
  } catch {
    // Without storage nothing is kept.
  }
}
