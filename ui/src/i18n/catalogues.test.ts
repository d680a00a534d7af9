import { describe, expect, it } from 'vitest';
import { bn } from './bn';
import { serverMessages } from './bn/server-messages';
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

  it('say the server’s sentences in Bangla', () => {
    for (const [sentence, translation] of Object.entries(serverMessages)) {
      expect([sentence, forms(translation).every((form) => BANGLA.test(form))]).toEqual([sentence, true]);
    }
  });
});
