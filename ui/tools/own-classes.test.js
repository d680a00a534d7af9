import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownClasses } from './own-classes.js';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-classes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('finds the classes of every sheet, and nothing that only looks like one', () => {
  mkdirSync(join(folder, 'nested'));
  writeFileSync(join(folder, 'a.css'), '@layer components { .btn--ink:not(.is-busy) > .face, td.num { margin: .5px; } }');
  writeFileSync(
    join(folder, 'nested/b.css'),
    '/* .gone {} */ @media (max-width: 767.98px) { .row { background: url(./x.png); content: ".text"; } }',
  );
  writeFileSync(join(folder, 'c.tsx'), '.other {}');
  expect(ownClasses(folder)).toEqual(['btn--ink', 'face', 'is-busy', 'num', 'row']);
});

it('finds none of components: they are styled with utilities', () => {
  // The theme, and the icons of a library.
  expect(ownClasses()).toEqual(['dark', 'lucide']);
});
