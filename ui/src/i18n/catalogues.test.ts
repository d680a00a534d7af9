import { readdirSync, readFileSync } from 'node:fs';
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
/** English in a Bangla text, apart from names that both languages share. */
const leftInEnglish = (form: string) => !BANGLA.test(form) && /\p{L}/u.test(form.replace(/\{\w+\}|USD|English/g, ''));

describe('catalogues', () => {
  it('are all found', () => {
    expect(catalogues.map(({ name }) => name)).toEqual(expect.arrayContaining(['common', 'khata', 'shell', 'auth', 'errors']));
  });

  it.each(catalogues.map((catalogue) => [catalogue.name, catalogue] as const))('%s is whole in Bangla', (name, { en }) => {
    const bangla: Dictionary = bn[name] ?? {};
    expect(Object.keys(bangla).sort()).toEqual(Object.keys(en).sort());
    const wrong = Object.entries(en).filter(([key, text]) => {
      const translation = bangla[key];
      const missing = typeof translation !== typeof text || forms(translation).some((form) => form.trim() === '');
      return missing || placeholders(translation) !== placeholders(text) || forms(translation).some(leftInEnglish);
    });
    expect(wrong.map(([key, text]) => [text, bangla[key]])).toEqual([]);
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

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).flatMap((name) =>
  /(?<!\.test)\.tsx?$/.test(name) ? [readFileSync(`src/${name}`, 'utf8')] : [],
);

/** Patterns of the keys that templates of a source build, nested ones included. */
function builtKeys(source: string): RegExp[] {
  const templates = source.split('`').map((text) => text.split(/\$\{[^}]+\}/));
  const keys = templates.filter((parts) => parts.length > 1 && /^[\w.-]+$/.test(parts.join('')));
  return keys.map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.+')}$`));
}

describe('every text is shown', () => {
  const ofFiles = Object.entries(modules).flatMap(([path, module]) =>
    Object.values(module).map((catalogue) => [catalogue.name, path.slice(2, -3), catalogue] as const),
  );

  it.each(ofFiles)('of %s', (name, file, { en }) => {
    const imported = new RegExp(`import [^;]*\\b${name}\\b[^;]* from '@/i18n/${file}';`);
    const users = sources.filter((source) => source.includes(`'@/i18n/${file}'`) && imported.test(source));
    const built = users.flatMap(builtKeys);
    const shown = (key: string) => users.some((source) => source.includes(`'${key}'`)) || built.some((keys) => keys.test(key));
    expect(Object.keys(en).filter((key) => !shown(key))).toEqual([]);
  });
});

const words = readFileSync('../docs/words.md', 'utf8');

/** The words that docs/words.md avoids in a language, with their replacement. */
function avoided(column: number): [instead: string, other: RegExp][] {
  const rows = words
    .split('\n')
    .flatMap((line) => (/^\| (?!English )/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []));
  return rows.flatMap((cells) => {
    const others = (cells[column] ?? '').split(', ').filter((word) => word !== '');
    // Matches the beginning of words; `\\b` knows no Bangla letters.
    return others.length > 0
      ? [[cells[column - 3] ?? '', new RegExp(`(?<![\\p{L}\\p{M}])(${others.join('|')})`, 'u')] as const]
      : [];
  });
}

const page = import.meta.glob<{ text: unknown }>('./{en,bn}/pages/*.ts', { eager: true });
const pagesOf = (language: string) =>
  Object.entries(page).flatMap(([path, { text }]) => (path.includes(`/${language}/`) ? [text] : []));
/** All texts of a value, without the ids of sections. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, part]) => (key === 'id' ? [] : textsOf(part)))
      : [];

/** Drops capitals at the start of sentences; names keep theirs ("Bkash" for "bKash"). */
const uncapitalised = (text: string) => text.replace(/(?<=^|[.!?:“] )\p{Lu}/gu, (letter) => letter.toLowerCase());

describe('product words', () => {
  const english = textsOf([catalogues.map(({ en }) => en), pagesOf('en')]);
  const bangla = textsOf([bn, pagesOf('bn')]);

  it.each(avoided(4))('English says %s, and no other word for it', (_, other) => {
    expect(english.filter((text) => other.test(uncapitalised(text)))).toEqual([]);
  });

  it.each(avoided(5))('Bangla of %s has no other word for it', (_, other) => {
    expect(bangla.filter((text) => other.test(text))).toEqual([]);
  });
});
