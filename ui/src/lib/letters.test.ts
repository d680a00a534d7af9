import { expect, it } from 'vitest';
import { beginningOf } from './letters';

it.each([
  ['কি'.repeat(3), 5, 'কিকি'],
  [`${'x'.repeat(29)}ক্ষি abc`, 30, 'x'.repeat(29)],
  [`${'x'.repeat(29)}👨‍👩‍👧‍👦`, 30, 'x'.repeat(29)],
  [`${'x'.repeat(29)}🇧🇩`, 30, 'x'.repeat(29)],
  ['😀😀', 1, '😀'],
  ['abc', 3, 'abc'],
  [`b${'\u0301'.repeat(400)}`, 72, ''],
])('%j of at most %i characters begins with whole letters', (text, most, beginning) => {
  expect(beginningOf(text, most)).toBe(beginning);
});
