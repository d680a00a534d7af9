import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportTexts, importTexts } from './catalogue.js';

/**
 * What an import of a language's texts after a change does: the problems, or the names of the
 * files.
 */
function imported(change, language = 'bn') {
  const texts = exportTexts(language);
  change(texts);
  const { problems, files } = importTexts(language, texts);
  return problems.length > 0 ? problems : [...files.keys()].map((file) => basename(file));
}

describe('texts of translators', () => {
  it('have plain texts, plurals, static pages and the server’s refusals', () => {
    const { lists, pages, refusals, ...others } = exportTexts('bn');
    expect(lists.pageOf).toBe('পেজ {page}, মোট {pages}');
    expect(lists.showMore).toEqual({ one: expect.any(String), other: expect.any(String) });
    expect(pages.contents).toBe('এই পেজে');
    expect(refusals.account_closed).toMatch(/অ্যাকাউন্ট/);
    expect(others['pages/terms'].sections[0].id).toBe('what-amanat-is');
  });

  it.each(['en', 'bn'])('come back without a difference (%s)', (language) => {
    expect(imported(() => undefined, language)).toEqual([]);
  });

  it('change nothing but what was translated', () => {
    const texts = exportTexts('bn');
    texts.lists.pageOf = "পাতা {page} / {pages}: it's\nhere";
    texts['pages/terms'].title = 'শর্ত';
    const { files } = importTexts('bn', texts);
    expect([...files.keys()].map((file) => basename(file))).toEqual(['components.ts', 'terms.ts']);
    const [components, terms] = [...files.values()];
    expect(components).toContain("  pageOf: 'পাতা {page} / {pages}: it\\'s\\nhere',\n");
    expect(components).toContain('showMoreFailed:');
    expect(terms).toContain("title: 'শর্ত',\n");
  });

  it.each([
    ['a missing key', ({ lists }) => delete lists.pageOf, 'lists.pageOf: is missing'],
    ['an unknown key', ({ lists }) => Object.assign(lists, { pageAt: 'x' }), 'lists.pageAt: is unknown'],
    ['a missing catalogue', (texts) => delete texts.lists, 'lists: is no object'],
    ['an unknown catalogue', (texts) => Object.assign(texts, { list: {} }), 'list: is unknown'],
    [
      'another placeholder',
      ({ lists }) => Object.assign(lists, { pageOf: 'পেজ {page} {all}' }),
      'lists.pageOf: {all} is unknown here',
    ],
    ['no placeholder', ({ lists }) => Object.assign(lists, { pageOf: 'পেজ {page}' }), 'lists.pageOf: {pages} is missing'],
    [
      'no link',
      ({ terms }) => Object.assign(terms, { updated: 'শর্ত <terms>শর্ত</terms>' }),
      'terms.updated: <privacy> is missing',
    ],
    [
      'no plural',
      ({ lists }) => Object.assign(lists, { showMore: '{count}' }),
      'lists.showMore: needs the forms "one" and "other"',
    ],
    ['half a plural', ({ lists }) => delete lists.showMore.one, 'lists.showMore.one: is missing'],
    [
      'no count',
      ({ lists }) => Object.assign(lists.showMore, { one: 'আরও', other: 'আরও' }),
      'lists.showMore: {count} is missing',
    ],
    ['an empty text', ({ lists }) => Object.assign(lists, { pageOf: ' ' }), 'lists.pageOf: is no text'],
    [
      'a value that the server has not',
      ({ refusals }) => Object.assign(refusals, { account_closed: '{x}' }),
      'refusals.account_closed: {x} is unknown here',
    ],
    [
      'a section fewer',
      (texts) => texts['pages/terms'].sections.pop(),
      expect.stringMatching(/^pages\/terms\.sections: is no list of \d+$/),
    ],
  ])('are refused with %s', (_, change, problem) => {
    expect(imported(change)).toContainEqual(problem);
  });
});
