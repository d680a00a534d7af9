import { expect, it } from 'vitest';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { ageText } from './queue-rows';

const MINUTE = 60_000;

it.each([
  [0.9, 'under 1 min'],
  [46, '46 min'],
  [60, '1 h'],
  [148, '2 h 28 min'],
  [24 * 60 + 59, '1 d'],
  [76 * 60, '3 d 4 h'],
])('%d minutes are %s', (minutes, text) =>
  expect(ageText((key, ...args) => translate(admin, key, ...args), minutes * MINUTE)).toBe(text),
);
