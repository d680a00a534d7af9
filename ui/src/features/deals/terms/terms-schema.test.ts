import { expect, it } from 'vitest';
import { termsRules } from './terms-schema';

it.each([
  ['1', true],
  ['30', true],
  ['', false],
  ['0', false],
  ['31', false],
])('the days to check are 1 to 30: %j', (days, allowed) => {
  expect(termsRules.check.safeParse(days).success).toBe(allowed);
});
