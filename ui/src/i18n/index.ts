import { useSelector } from '@tanstack/react-store';
import { currentLanguage, type Language, languageStore, translated } from './language';
import { count } from './numbers';
import type { Args, Key, Plural, Texts, Translate } from './texts';

export { currentLanguage, type Language, loadLanguage, setLanguage, startLanguage } from './language';
export type { Key, Texts, Translate } from './texts';

const pluralRules = new Map<Language, Intl.PluralRules>();

function pluralForm(language: Language, text: Plural, many: number): string {
  let rules = pluralRules.get(language);
  if (!rules) {
    rules = new Intl.PluralRules(language);
    pluralRules.set(language, rules);
  }
  return rules.select(many) === 'one' ? text.one : text.other;
}

/** A text in the current language. Numeric parameters are formatted in its digits. */
export function translate<T extends Texts, K extends Key<T>>(catalogue: T, key: K, ...args: Args<T['en'][K]>): string {
  const text = translated(catalogue.name)?.[key] ?? catalogue.en[key] ?? key;
  const language = currentLanguage();
  const params = (args[0] ?? {}) as Record<string, string | number>;
  const chosen = typeof text === 'string' ? text : pluralForm(language, text, Number(params.count));
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? count(value) : value;
  });
}

/** The current language; the component rerenders when it changes. */
export function useLanguage(): Language {
  return useSelector(languageStore);
}

/**
 * `const t = useTexts(deals)`, then `t('create')`. The component rerenders when the language
 * changes.
 */
export function useTexts<T extends Texts>(catalogue: T): Translate<T> {
  // Subscribes the component. The function is new on each render, so memoised children see the
  // change.
  useLanguage();
  return (key, ...args) => translate(catalogue, key, ...args);
}
