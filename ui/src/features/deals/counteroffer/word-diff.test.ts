import { describe, expect, it } from 'vitest';
import { type Piece, wordDiff } from './word-diff';

/** Marks changed pieces: "[changed]". */
const shown = (pieces: Piece[]) => pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
const both = (before: string, after: string) => {
  const diff = wordDiff(before, after);
  return [shown(diff.before), shown(diff.after)];
};

describe('two descriptions', () => {
  it.each([
    ['are the same', 'Ten logos', 'Ten logos', ['Ten logos', 'Ten logos']],
    ['differ in a word', 'Ten logos in blue', 'Twelve logos in blue', ['[Ten] logos in blue', '[Twelve] logos in blue']],
    ['differ at the end', 'Ten logos', 'Ten logos and a card', ['Ten logos', 'Ten logos [and a card]']],
    ['differ in words side by side', 'a big red box', 'a small green box', ['a [big red] box', 'a [small green] box']],
    ['lose a line', 'One\nTwo\nThree', 'One\nThree', ['One\n[Two]\nThree', 'One\nThree']],
    ['have nothing in common', 'লোগো', 'ব্যানার', ['[লোগো]', '[ব্যানার]']],
    ['begin with nothing', '', 'Ten logos', ['', '[Ten logos]']],
  ])('that %s', (_what, before, after, expected) => {
    expect(both(before, after)).toEqual(expected);
  });

  it('keep every character, and are compared in time, however long they are', () => {
    const before = Array.from({ length: 2_500 }, (_, index) => String(index % 7)).join(' ');
    const after = Array.from({ length: 2_500 }, (_, index) => String(index % 5)).join(' ');
    const diff = wordDiff(before, after);
    const text = (pieces: Piece[]) => pieces.map((piece) => piece.text).join('');
    expect([text(diff.before), text(diff.after)]).toEqual([before, after]);
    expect(diff.before.filter(({ changed }) => changed)).toHaveLength(1);
  });
});
