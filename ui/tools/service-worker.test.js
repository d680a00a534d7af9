import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { offlineDocument, shellFiles } from './service-worker.ts';

const source = readFileSync(resolve(import.meta.dirname, '../index.html'), 'utf8');

/** index.html as the build writes it. */
const index = source.replace('    <script type="module" src="/src/main.tsx"></script>\n', '').replace(
  '</head>',
  `  <script type="module" crossorigin src="/assets/index-1234567.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/e-7654321.js">
    <link rel="stylesheet" crossorigin href="/assets/abcdefg.css">
  </head>`,
);

describe('the offline page', () => {
  const html = offlineDocument(index, 'assets/offline-7777777.js');

  it('has the look of the application and a script of its own', () => {
    expect(html).toContain('<script type="module" crossorigin src="/assets/offline-7777777.js"></script>');
    expect(html).toContain('<div id="root"></div>');
    expect(html).not.toMatch(/index-1234567|e-7654321/);
  });

  it('is kept with all that it links to', () => {
    expect(shellFiles(html)).toEqual([
      ...['/offline.html', '/mark.svg', '/manifest.webmanifest', '/theme.js'],
      ...['/assets/abcdefg.css', '/assets/offline-7777777.js'],
    ]);
  });

  it('is not made of a document that is written in another way', () => {
    expect(() => offlineDocument('<head></head>', 'assets/x.js')).toThrow('index.html');
  });
});
