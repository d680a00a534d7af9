import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { kindOf, OTHER_KIND } from './notifications-page';

it('has a name for every notification that the server sends to admins', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../../../../../internal/app/catalog/kinds.go'), 'utf8');
  const kinds = [...source.matchAll(/^\s+Admin\w+\s+Kind = "(\w+)"/gm)].map(([, kind]) => kind ?? '');
  expect(kinds).toContain('admin_credit');
  expect(kinds.filter((kind) => kindOf(kind) === OTHER_KIND)).toEqual([]);
});
