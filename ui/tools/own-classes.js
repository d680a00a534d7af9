import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SRC = resolve(import.meta.dirname, '../src');

/** The classes that the style sheets below src define, which Tailwind does not know. */
export function ownClasses(folder = SRC) {
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.css')) continue;
    const css = readFileSync(resolve(folder, file), 'utf8');
    const selectors = css.replace(/\/\*[^]*?\*\/|"[^"]*"|url\([^)]*\)/g, '').matchAll(/([^{};]+)\{/g);
    for (const [, selector] of selectors) for (const [, name] of selector.matchAll(/\.([A-Za-z_][\w-]*)/g)) names.add(name);
  }
  return [...names].sort();
}
