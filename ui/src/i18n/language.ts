import { createStore } from '@tanstack/react-store';
import type { Dictionary } from './texts';

export type Language = 'en' | 'bn';
type Bundle = Record<string, Dictionary>;

const STORAGE_KEY = 'language';
/** The language of the interface. `setLanguage` resets it in tests. */
export const languageStore = createStore<Language>('en');
let bangla: Bundle | null = null;
const banglaParts: (() => Promise<void>)[] = [];

/** Loads code that only Bangla needs with its texts. To be called while modules are loaded, before a language is. */
export function loadWithBangla(part: () => Promise<void>): void {
  banglaParts.push(part);
}

/** What was chosen on this device, if anything was. */
function chosen(): Language | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'en' || stored === 'bn' ? stored : null;
  } catch {
    return null; // without storage the browser's own language decides
  }
}

/** Makes a language the current one; its texts are loaded first. */
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

/** On this device, and in a cookie by which the server chooses the language of the prerendered pages. */
function remember(language: Language): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
    document.cookie = `${STORAGE_KEY}=${language}; Path=/; Max-Age=${A_YEAR}; SameSite=Lax`;
  } catch {
    // Forgetting the choice is the only harm.
  }
}

/** Loads the remembered language, or the browser's. Await it before the first render, so that no text is swapped. */
export async function startLanguage(): Promise<void> {
  const choice = chosen();
  try {
    await apply(choice ?? (navigator.language.startsWith('bn') ? 'bn' : 'en'));
    if (choice) remember(choice); // the cookie may have gone
  } catch {
    // The Bangla chunk did not arrive; English is always there.
    await apply('en');
  }
}

/** Switches the whole interface and remembers the choice on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await apply(language);
  remember(language);
}

export function currentLanguage(): Language {
  return languageStore.state;
}

/** The dictionary of a catalogue in the current language, or null where English is to be used. */
export function translated(name: string): Dictionary | null {
  return currentLanguage() === 'bn' ? (bangla?.[name] ?? null) : null;
}
