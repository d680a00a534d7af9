import { describe, expect, it } from 'vitest';
import { bn } from './bn';
import { outcomes, refusals } from './sentences.gen';
import type { Dictionary, Plural, Texts } from './texts';

const modules = import.meta.glob<Record<string, Texts>>('./en/*.ts', { eager: true });
const catalogues = Object.values(modules).flatMap((module) => Object.values(module));

const forms = (text: string | Plural | undefined): string[] =>
  text === undefined ? [] : typeof text === 'string' ? [text] : [text.one, text.other];
const placeholders = (text: string | Plural | undefined): string =>
  [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort().join(' ');
const BANGLA = /[\u0980-\u09ff]/;
/** English left in a Bangla text, apart from the names that both languages write alike. */
const leftInEnglish = (form: string) => !BANGLA.test(form) && /\p{L}/u.test(form.replace(/\{\w+\}|USD|English/g, ''));

describe('catalogues', () => {
  it('are all found', () => {
    expect(catalogues.map(({ name }) => name)).toEqual(expect.arrayContaining(['common', 'khata', 'shell', 'auth', 'errors']));
  });

  it.each(catalogues.map((catalogue) => [catalogue.name, catalogue] as const))('%s is whole in Bangla', (name, { en }) => {
    const bangla: Dictionary = bn[name] ?? {};
    expect(Object.keys(bangla).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) {
      const translation = bangla[key];
      expect([key, typeof translation, placeholders(translation)]).toEqual([key, typeof text, placeholders(text)]);
      for (const form of forms(translation)) {
        expect([key, form.trim() === '']).toEqual([key, false]);
        expect([key, leftInEnglish(form)]).toEqual([key, false]);
      }
    }
  });

  it.each([
    ['refusals', refusals],
    ['outcomes', outcomes],
  ] as const)('say the server’s %s in Bangla, with values that these have', (name, english: Dictionary) => {
    const bangla = bn[name] ?? {};
    expect(Object.keys(bangla).length).toBeGreaterThan(5);
    for (const [key, translation] of Object.entries(bangla)) {
      const known = placeholders(english[key]).split(' ');
      const unknown = placeholders(translation)
        .split(' ')
        .filter((value) => !known.includes(value) && value !== '');
      const [text = ''] = forms(translation);
      expect([key, key in english, leftInEnglish(text), unknown]).toEqual([key, true, false, []]);
    }
  });
});

const everySource = import.meta.glob<string>('../**/*.{ts,tsx}', { eager: true, query: '?raw', import: 'default' });
const sources = Object.entries(everySource).flatMap(([path, text]) =>
  path.endsWith('.test.ts') || path.endsWith('.test.tsx') ? [] : [text],
);

/** Every template of a source, an inner one among them, as the keys that it can build. */
function builtKeys(source: string): RegExp[] {
  const templates = source.split('`').filter((text) => /\$\{[^}]+\}/.test(text));
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return templates.map(
    (template) =>
      new RegExp(
        `^${template
          .split(/\$\{[^}]+\}/)
          .map(literal)
          .join('.+')}$`,
      ),
  );
}

describe('every text is shown', () => {
  const ofFiles = Object.entries(modules).flatMap(([path, module]) =>
    Object.values(module).map((catalogue) => [path.slice(2, -3), catalogue] as const),
  );

  it.each(ofFiles)('of %s', (file, { en }) => {
    const users = sources.filter((source) => source.includes(`@/i18n/${file}'`));
    const built = users.flatMap(builtKeys);
    const shown = (key: string) => users.some((source) => source.includes(`'${key}'`)) || built.some((keys) => keys.test(key));
    expect(Object.keys(en).filter((key) => !shown(key))).toEqual([]);
  });
});

/** What one thing is called everywhere, and the other words for it, which would be a second thing to the reader. */
const ONE_WORD: readonly (readonly [string, RegExp])[] = [
  ['আমানতে', /এসক্রো/],
  ['সহায়তা', /সাপোর্ট/],
  ['মেসেজ', /বার্তা/],
  ['নাকচ', /প্রত্যাখ্যান/],
  ['নোটিফিকেশন', /নোটিশ/],
  ['ইমেইল', /(?<!ই)মেইল/],
  ['টাকা তোলা', /উত্তোলন/],
  ['ডেলিভারি', /হস্তান্তর|বুঝিয়ে (দি|দে)/],
  ['সময় থেমে আছে', /(?<!হাত)ঘড়ি/],
  ['দেরি', /বিলম্বিত/],
  ['সঠিক', /ঠিক একটি (অঙ্ক|দর)/],
];
const pages = import.meta.glob<{ text: unknown }>('./bn/pages/*.ts', { eager: true });

describe('Bangla', () => {
  const everything = JSON.stringify([bn, Object.values(pages).map(({ text }) => text)]);

  it.each(ONE_WORD)('says %s and nothing else for it', (_, other) => {
    expect(everything.split('"').filter((text) => other.test(text))).toEqual([]);
  });
});
