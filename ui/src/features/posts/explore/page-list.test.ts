import { expect, it } from 'vitest';
import { pageList } from './explore-page';

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 35, [1, 2, null, 35]],
  [3, 35, [1, 2, 3, 4, null, 35]],
  [4, 35, [1, 2, 3, 4, 5, null, 35]],
  [17, 35, [1, null, 16, 17, 18, null, 35]],
  [33, 35, [1, null, 32, 33, 34, 35]],
  [35, 35, [1, null, 34, 35]],
  // The address may have a page that no longer exists.
  [9, 3, [1, 2, 3]],
])('page %i of %i shows %j', (page, pages, expected) => {
  expect(pageList(page, pages)).toEqual(expected);
});
