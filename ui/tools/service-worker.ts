import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin } from 'vite';
import type { Build } from '../src/service-worker/scope.ts';

const SHELL = 'offline.html';
const WORKER = 'service-worker.js';
const SCRIPT = 'assets/offline-[hash:7].js';

const LINKED = /(?:href|src)="(\/[^"]+)"/g;
const APPLICATION = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;

/**
 * A build of one file, apart from the application's: neither takes part in how that is split into
 * chunks.
 */
const alone = (root: string, outDir: string): InlineConfig => ({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  resolve: {
    alias: [
      { find: '@', replacement: resolve(root, 'src') },
      // The offline page has few words: without this, it carries all Bangla texts.
      { find: /^\.\/bn$/, replacement: resolve(root, 'src/features/offline/bangla.ts') },
    ],
  },
  build: { outDir, emptyOutDir: false, target: 'es2022', modulePreload: false },
});

/** index.html with another script, which is all that the offline page has of the application. */
export function offlineDocument(index: string, script: string): string {
  const bare = index.replaceAll(APPLICATION, '');
  const parts = bare.split('</head>');
  if (parts.length !== 2 || bare === index) throw new Error('service worker: index.html is not written as expected');
  return parts.join(`  <script type="module" crossorigin src="/${script}"></script>\n  </head>`);
}

/** What the document links to, and itself: the files that are kept. */
export function shellFiles(html: string): string[] {
  const linked = [...html.matchAll(LINKED)].flatMap(([, path]) => path ?? []);
  return [...new Set([`/${SHELL}`, ...linked])];
}

async function writeShell(root: string, outDir: string): Promise<string> {
  const config = alone(root, outDir);
  const built = await build({
    ...config,
    plugins: [react()],
    build: {
      ...config.build,
      rolldownOptions: { input: resolve(root, 'src/offline.tsx'), output: { entryFileNames: SCRIPT, codeSplitting: false } },
    },
  });
  const outputs = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  const script = outputs.find((file) => file.type === 'chunk' && file.isEntry);
  if (!script || outputs.length !== 1) throw new Error('service worker: the offline page must be one file');
  const html = offlineDocument(readFileSync(join(outDir, 'index.html'), 'utf8'), script.fileName);
  writeFileSync(join(outDir, SHELL), html);
  return html;
}

/** What the service worker keeps. Names with a hash stand for their content. */
function describe(outDir: string, html: string): Build {
  const files = shellFiles(html);
  const hash = createHash('sha256').update(html);
  for (const file of files) if (!file.startsWith('/assets/')) hash.update(file).update(readFileSync(join(outDir, file)));
  return { version: hash.digest('hex').slice(0, 12), shell: `/${SHELL}`, files };
}

/**
 * Writes dist/offline.html, which is shown while there is no network, and dist/service-worker.js,
 * which keeps it and shows pushes.
 */
export function serviceWorker(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'service-worker',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    // After the application's files and before they are compressed.
    closeBundle: {
      sequential: true,
      async handler() {
        const about = describe(outDir, await writeShell(root, outDir));
        const config = alone(root, outDir);
        await build({
          ...config,
          define: { BUILD: JSON.stringify(about) },
          build: {
            ...config.build,
            rolldownOptions: {
              input: resolve(root, 'src/service-worker/main.ts'),
              output: { format: 'iife', entryFileNames: WORKER },
            },
          },
        });
      },
    },
  };
}
