import type { Plugin } from 'vite';

const FALLBACK = /@layer properties\{@supports[^{]+\{[^{}]+\{[^{}]*\}\}\}/g;

/**
 * Leaves out of the styles what Tailwind adds for browsers without @property, which are older than `cssTarget`: initial values of its variables for
 * every element, a quarter of a KB on each page.
 */
export function dropFallback(): Plugin {
  return {
    name: 'drop-fallback',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        file.source = String(file.source).replace(FALLBACK, '');
      }
    },
  };
}
