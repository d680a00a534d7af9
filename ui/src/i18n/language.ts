import type { Dictionary } from './texts';

export type Language = 'en' | 'bn';
type Bundle = Record<string, Dictionary>;

const STORAGE_KEY = 'language';
const listeners = new Set<() => void>();
let current: Language = 'en';
let bangla: Bundle | null = null;

function preferred(): Language {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    // Without storage the browser's own language decides.
  }
  if (stored === 'en' || stored === 'bn') return stored;
  return navigator.language.startsWith('bn') ? 'bn' : 'en';
}

async function apply(language: Language): Promise<void> {
  if (language === 'bn' && bangla === null) bangla = (await import('./bn')).bn;
  current = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Loads the remembered language, or the browser's. Await it before the first render, so that no text is swapped. */
export async function startLanguage(): Promise<void> {
  try {
    await apply(preferred());
  } catch {
    // The Bangla chunk did not arrive; English is always there.
    await apply('en');
  }
}

/** Switches the whole interface and remembers the choice on this device. */
export async function setLanguage(language: Language): Promise<void> {
  await apply(language);
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Forgetting the choice is the only harm.
  }
}

export function currentLanguage(): Language {
  return current;
}

export function subscribeLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The dictionary of a catalogue in the current language, or null where English is to be used. */
export function translated(name: string): Dictionary | null {
  return current === 'bn' ? (bangla?.[name] ?? null) : null;
}
