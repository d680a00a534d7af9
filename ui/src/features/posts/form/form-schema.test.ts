import { expect, it } from 'vitest';
import { addTags } from './form-schema';

const TEN = Array.from({ length: 10 }, (_, index) => `tag ${index}`);
const LONG = 'x'.repeat(31);

it.each([
  ['trims', [], '  cooking ', ['cooking'], '', null],
  ['ignores what is empty', ['a'], ' , ,', ['a'], '', null],
  ['ignores what is there, in whatever case of letters', ['Cooking'], 'cooking', ['Cooking'], '', null],
  ['takes several at once', ['a'], 'b, c ,B', ['a', 'b', 'c'], '', null],
  ['takes Bangla', [], 'রান্না,বাংলা', ['রান্না', 'বাংলা'], '', null],
  ['takes thirty characters', [], 'x'.repeat(30), ['x'.repeat(30)], '', null],
  ['leaves what is too long', ['a'], `b, ${LONG}`, ['a', 'b'], LONG, 'long'],
  ['leaves the eleventh', TEN, 'one more', TEN, 'one more', 'many'],
  ['counts letters, not the halves of a sign', [], '😀'.repeat(30), ['😀'.repeat(30)], '', null],
] as const)('%s', (_, tags, typed, expected, rest, problem) => {
  expect(addTags(tags, typed)).toEqual({ tags: expected, rest, problem });
});
