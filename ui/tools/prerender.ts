import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Manifest, type Plugin } from 'vite';
import type { memberFrame, PAGES, Written, write } from '../src/prerender/render.tsx';
import { keyOfRoute, pathOfRoute, routeOfKey } from './prerender-chunks.js';

const ENTRY = 'src/prerender/render.tsx';
const LANGUAGES = ['en', 'bn'] as const;
type Language = (typeof LANGUAGES)[number];
type Writer = { PAGES: typeof PAGES; memberFrame: typeof memberFrame; write: typeof write };

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Replaces a part of index.html that must be there exactly once. */
function replaced(page: string, part: string | RegExp, by: string): string {
  if (page.split(part).length !== 2) throw new Error(`prerender: index.html must have ${part} exactly once`);
  return page.replace(part, () => by);
}

/**
 * The chunks of a page that index.html does not name yet, with what they import, in the order in
 * which they are needed.
 */
function filesOf(manifest: Manifest, sources: string[]): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const seen = new Set<string>();
  const collect = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    chunk.imports?.forEach(collect);
    scripts.add(chunk.file);
    chunk.css?.forEach((file) => styles.add(file));
  };
  sources.forEach(collect);
  return { scripts: [...scripts], styles: [...styles] };
}

/**
 * The keys of the manifest that hold the pages of the routes with these ids; one that has nothing
 * of its own to show has none.
 */
function keysOf(manifest: Manifest, routeIds: string[]): string[] {
  return routeIds.flatMap((id) => keyOfRoute(manifest, id.slice(1) + (id.endsWith('/') ? 'index' : '')) ?? []);
}

function page(index: string, manifest: Manifest, language: Language, text: string[], written: Written): string {
  const sources = [...keysOf(manifest, written.routes), ...text];
  const { scripts, styles } = filesOf(manifest, sources);
  const fonts = language === 'bn' ? Object.values(manifest).flatMap(({ file }) => (file.includes('-bengali-') ? file : [])) : [];
  const missing = (file: string) => !index.includes(`/${file}"`);
  const links = [
    ...styles.filter(missing).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scripts.filter(missing).map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`),
    ...fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`),
  ];
  // The page can be read before its scripts are there: styles and fonts come first.
  let html = index.replaceAll(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"');
  html = replaced(html, '<html lang="en">', `<html lang="${language}">`);
  html = replaced(html, /<title>.*<\/title>/, `<title>${escaped(written.title)}</title>`);
  html = replaced(
    html,
    /<meta name="description" content="[^"]*" \/>/,
    `<meta name="description" content="${escaped(written.description)}" />`,
  );
  html = replaced(html, '</head>', `${links.join('\n    ')}\n  </head>`);
  return replaced(
    html,
    '<div id="root"></div>',
    `<div id="root" data-visitor data-prerendered="${language}">${written.html}</div>`,
  );
}

const LAYOUT = /^_(?:app|admin)\//;

const isWithin = (route: string, layout: string) => route.startsWith(`${layout}/`) || route.startsWith(`${layout}.`);

/**
 * The documents of the pages behind the login, by path: each names the code of its page, which is
 * then loaded with the entry, and those of members have the frame of the page.
 */
export function memberDocuments(index: string, manifest: Manifest, frame: string): [path: string, html: string][] {
  const routes = Object.keys(manifest).flatMap((key) => routeOfKey(key) ?? []);
  return routes.flatMap((route) => {
    if (!LAYOUT.test(route) || routes.some((within) => isWithin(within, route))) return [];
    const layouts = routes.filter((around) => isWithin(route, around));
    const { scripts, styles } = filesOf(
      manifest,
      [...layouts, route].map((part) => keyOfRoute(manifest, part) ?? ''),
    );
    const missing = (file: string) => !index.includes(`/${file}"`);
    const links = [
      ...styles.filter(missing).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
      ...scripts.filter(missing).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ];
    const html = replaced(index, '</head>', `${links.join('\n    ')}\n  </head>`);
    const root = '<div id="root"></div>';
    return [[pathOfRoute(route), route.startsWith('_app/') ? replaced(html, root, root + frame) : html]];
  });
}

/**
 * Writes public pages ahead, in both languages, for visitors: dist/visitor/{language}{path}.html,
 * and dist/visitor/index.html for all other pages, which says that there is no session to ask for;
 * and for those behind the login dist/member{path}.html, with what they load. The server chooses.
 */
export function prerender(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(config) {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const index = readFileSync(join(outDir, 'index.html'), 'utf8');
        const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8')) as Manifest;
        // Beside the packages: what is not bundled is found from here.
        const bundle = resolve(root, 'node_modules/.prerender');
        await build({ root, logLevel: 'warn', build: { ssr: ENTRY, outDir: bundle, emptyOutDir: true, copyPublicDir: false } });
        const { PAGES, memberFrame, write } = (await import(pathToFileURL(join(bundle, 'render.js')).href)) as Writer;
        const put = (name: string, content: string) => {
          const file = join(outDir, name);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, content);
        };
        put('visitor/index.html', replaced(index, '<div id="root"></div>', '<div id="root" data-visitor></div>'));
        for (const [path, html] of memberDocuments(index, manifest, memberFrame())) put(`member/${path}.html`, html);
        for (const language of LANGUAGES) {
          for (const [path, { text }] of Object.entries(PAGES)) {
            const texts = [
              ...(text ? [`src/i18n/${language}/pages/${text}.ts`] : []),
              ...(language === 'bn' ? ['src/i18n/bn/index.ts'] : []),
            ];
            const name = path === '/' ? '/index' : path;
            put(`visitor/${language}${name}.html`, page(index, manifest, language, texts, await write(path, language)));
          }
        }
        rmSync(bundle, { recursive: true, force: true });
      },
    },
  };
}
