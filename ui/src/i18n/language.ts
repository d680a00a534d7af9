import { createStore } from '@tanstack/react-store';
import type { Dictionary } from './texts';

export type Language = 'en' | 'bn';
type Bundle = Record<string, Dictionary>;

const STORAGE_KEY = 'language';
/** The current language. `setLanguage` resets it in tests. */
export const languageStore = createStore<Language>('en');
let bangla: Bundle | null = null;
const banglaParts: (() => Promise<void>)[] = [];

/** Registers code that loads with the Bangla texts. Call it at module load. */
export function loadWithBangla(part: () => Promise<void>): void {
  banglaParts.push(part);
}

/** The language chosen on this device, or null. */
function chosen(): Language | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'en' || stored === 'bn' ? stored : null;
  } catch {
    return null; // without storage, the browser's language decides
  }
}

/** Loads the language's texts and makes it current. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === 'bn' && bangla === null) {
    const [{ bn }] = await Promise.all([import('./bn'), ...banglaParts.map((load) => load())]);
    bangla = bn;
  }
  languageStore.setState(() => language);
}

async function apply(language: Language): Promise<void> {
  await loadLanguage(language);
  document.documentElement.lang = language;
}

const A_YEAR = 365 * 24 * 60 * 60;

/** Stores it on this device, and in a cookie by which the server chooses prerendered pages. */
function remember(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
    document.cookie = `${STORAGE_KEY}=${language}; Path=/; Max-Age=${A_YEAR}; SameSite=Lax`;
  } catch {
    // Only the choice is forgotten.
  }
}

/**
 * Loads the stored language, or the browser's. Await it before the first render, so that no text
 * changes.
 */
export async function startLanguage(): Promise<void> {
  const choice = chosen();
  try {
    await apply(choice ?? (navigator.language.startsWith('bn') ? 'bn' : 'en'));
    if (choice) remember(choice); // the cookie may have expired
  } catch {
    // The Bangla chunk failed to load; English is always there.
    await apply('en');
  }
}

/** Changes the language and stores the choice on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await apply(language);
  remember(language);
}

export function currentLanguage(): Language {
  return languageStore.state;
}

/** The catalogue's dictionary in the current language, or null for English. */
export function translated(name: string): Dictionary | null {
  return currentLanguage() === 'bn' ? (bangla?.[name] ?? null) : null;
}
