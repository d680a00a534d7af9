// Fails when a page needs more JavaScript, CSS or files than its budget, or has none: `npm run
// size` after `npm run build`.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { routeOfKey } from './prerender-chunks.js';

const KB = 1024;
const CSS_BUDGET = 25;
/**
 * KB of JavaScript that a page may load, by layout: the entry, its layouts, itself. Bangla and the
 * toaster come after the first paint.
 */
const BUDGETS = { _guest: 175, _public: 175, _app: 220, _admin: 245 };
/** What visitors see first has no forms, and a post has the seller and the chat. */
const EXCEPTIONS = { '_guest/index': 147, '_public/posts.$postId': 220 };
/**
 * Files of a first visit: scripts, styles, and what index.html names for all pages, which is fonts
 * and the icon.
 */
const FILES_BUDGET = 30;
const FEWER_FILES = { '_guest/index': 15, '_public/posts.$postId': 25 };
/** What a page adds after its paint. */
const LATER = [{ page: '_admin/admin.dashboard', source: 'src/features/admin/dashboard/trend-charts.tsx', budget: 112 }];

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'));
const gzipped = (file) => gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length;

/** The chunks that hold the routes' pages. A route that only redirects has none. */
const chunks = new Map(
  Object.keys(manifest).flatMap((key) => {
    const route = routeOfKey(key);
    return route === null ? [] : [[route, key]];
  }),
);

/** The routes around a route: `_app` and `_app/inbox` around `_app/inbox.index`. */
const layoutsOf = (route) =>
  [...route.matchAll(/[/.]/g)].map(({ index }) => route.slice(0, index)).filter((around) => chunks.has(around));

function collect(key, files) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const imported of chunk.imports ?? []) collect(imported, files);
}

function filesOf(route) {
  const files = new Set();
  for (const key of ['index.html', ...[...layoutsOf(route), route].map((part) => chunks.get(part))]) collect(key, files);
  return files;
}

const index = readFileSync('dist/index.html', 'utf8');
const everywhere = index.match(/<link rel="(?:preload|icon)"/g)?.length ?? 0;

let failed = false;

function weigh(name, budget, files, filesBudget = FILES_BUDGET) {
  const total = (ending) => files.filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + gzipped(file), 0) / KB;
  const js = total('.js');
  const css = total('.css');
  const requests = files.length + everywhere;
  const tooBig = js > budget || css > CSS_BUDGET || requests > filesBudget;
  failed ||= tooBig;
  console.log(
    `${tooBig ? 'TOO BIG' : 'ok     '} ${name.padEnd(32)} ${js.toFixed(1).padStart(6)} of ${budget} KB JS, ${css.toFixed(1).padStart(5)} of ${CSS_BUDGET} KB CSS, ${String(requests).padStart(2)} of ${filesBudget} files`,
  );
}

function complain(text) {
  failed = true;
  console.log(`FAILED  ${text}`);
}

const pages = new Set(chunks.keys());
for (const route of chunks.keys()) for (const around of layoutsOf(route)) pages.delete(around);
for (const route of Object.keys(EXCEPTIONS)) if (!pages.has(route)) complain(`${route} has a budget and is no page of the build`);
for (const route of pages) {
  const budget = EXCEPTIONS[route] ?? BUDGETS[route.split('/', 1)[0]];
  if (budget) weigh(route, budget, [...filesOf(route)], FEWER_FILES[route]);
  else complain(`${route} is in a layout without a budget: add it to BUDGETS of tools/size.js`);
}
for (const { page, source, budget } of LATER) {
  const before = filesOf(page);
  const files = new Set(before);
  collect(source, files);
  weigh(
    `${page}, later`,
    budget,
    [...files].filter((file) => !before.has(file)),
  );
}
if (failed) process.exit(1);
