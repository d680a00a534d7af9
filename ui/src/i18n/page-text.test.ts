import { describe, expect, it } from 'vitest';
import type { Company, PageText } from './page-text';

const english = import.meta.glob<PageText | Company>('./en/pages/*.ts', { eager: true, import: 'text' });
const bangla = import.meta.glob<PageText | Company>('./bn/pages/*.ts', { eager: true, import: 'text' });

const BANGLA = /[\u0980-\u09ff]/;
const western = (digit: string) => String.fromCodePoint(digit.charCodeAt(0) - 0x09e6 + 0x30);

/** What both languages share: the shape, ids, dates and figures. */
function bones(value: unknown, key = ''): unknown {
  if (key === 'id' || key === 'changed') return value;
  if (typeof value === 'string') {
    return (value.replace(/[০-৯]/g, western).match(/\d[\d,.]*%?/g) ?? []).map((figure) => figure.replace(/[.,]$/, '')).sort();
  }
  if (Array.isArray(value)) return value.map((part) => bones(part));
  return Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, bones(part, name)]));
}

function sentences(value: unknown, key = ''): string[] {
  if (key === 'id' || key === 'changed') return [];
  if (typeof value === 'string') return [value];
  return Object.entries(value as object).flatMap(([name, part]) => sentences(part, name));
}

describe('static pages', () => {
  it('are in both languages', () => {
    expect(Object.keys(english).length).toBeGreaterThan(3);
    expect(Object.keys(bangla).map((file) => file.replace('./bn/', ''))).toEqual(
      Object.keys(english).map((file) => file.replace('./en/', '')),
    );
  });

  it.each(Object.keys(english))('%s says the same in both: sections, lists and figures', (file) => {
    expect(bones(bangla[file.replace('./en/', './bn/')])).toEqual(bones(english[file]));
  });

  it.each(Object.keys(bangla))('%s is in Bangla', (file) => {
    expect(sentences(bangla[file]).filter((sentence) => !BANGLA.test(sentence) || /[a-z]{2}/i.test(sentence))).toEqual([]);
  });
});
