import { expect, it } from 'vitest';
import { pageNumber } from './paging';

it.each([
  [2, { page: 2 }],
  [1, {}],
  [0, {}],
  [1.5, {}],
  ['2', {}],
  [undefined, {}],
])('the page of an address %j is %j', (value, expected) => {
  expect(pageNumber(value)).toEqual(expected);
});
