// Fails when a page needs more JavaScript or CSS than its budget: `npm run size` after `npm run build`.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const KB = 1024;
const CSS_BUDGET = 15;
/** What a page loads: the entry, its layouts, itself. Bangla and the toaster come after the first paint. */
const PAGES = [
  { page: 'landing', budget: 135, routes: ['_guest', '_guest/index'] },
  { page: 'terms', budget: 135, routes: ['_public', '_public/terms'] },
  { page: 'leaders', budget: 135, routes: ['_public', '_public/ourleaders'] },
  { page: 'papers', budget: 135, routes: ['_public', '_public/papers'] },
  { page: 'login', budget: 160, routes: ['_guest', '_guest/login'] },
  { page: 'sign-up', budget: 160, routes: ['_guest', '_guest/signup'] },
  { page: 'explore', budget: 200, routes: ['_public', '_public/explore'] },
  { page: 'dashboard', budget: 200, routes: ['_app', '_app/dashboard'] },
  { page: 'deals', budget: 200, routes: ['_app', '_app/deal.index'] },
  { page: 'deal', budget: 200, routes: ['_app', '_app/deal.$dealId'] },
  { page: 'inbox', budget: 200, routes: ['_app', '_app/inbox', '_app/inbox.index'] },
  { page: 'conversation', budget: 200, routes: ['_app', '_app/inbox', '_app/inbox.$conversationId'] },
  { page: 'balance', budget: 200, routes: ['_app', '_app/balance'] },
  { page: 'admin deposits', budget: 220, routes: ['_admin', '_admin/admin.deposit'] },
  { page: 'admin dashboard', budget: 220, routes: ['_admin', '_admin/admin.dashboard'] },
  { page: 'admin users', budget: 220, routes: ['_admin', '_admin/admin.users'] },
  { page: 'admin chat', budget: 220, routes: ['_admin', '_admin/admin.chat'] },
  { page: 'admin notices', budget: 220, routes: ['_admin', '_admin/admin.notifications'] },
  { page: 'admin audit log', budget: 220, routes: ['_admin', '_admin/admin.audit'] },
  // What the charts add to their page, after its paint.
  {
    page: 'charts',
    budget: 105,
    routes: ['_admin', '_admin/admin.dashboard'],
    later: 'src/features/admin/dashboard/trend-charts.tsx',
  },
];

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'));
const gzipped = (file) => gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length;

function collect(key, files) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build; keep PAGES of tools/size.js in step with src/routes`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const imported of chunk.imports ?? []) collect(imported, files);
}

/** The chunk of a route file that holds its page; the router's plugin names it after what it holds. */
function pageKey(route) {
  const start = `src/routes/${route}.tsx?tsr-split=`;
  return Object.keys(manifest).find((key) => key.startsWith(start) && key.includes('pendingComponent')) ?? start;
}

let failed = false;
for (const { page, budget, routes, later } of PAGES) {
  let files = new Set();
  collect('index.html', files);
  for (const route of routes) collect(pageKey(route), files);
  if (later) {
    const before = new Set(files);
    collect(later, files);
    files = new Set([...files].filter((file) => !before.has(file)));
  }
  const total = (ending) => [...files].filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + gzipped(file), 0) / KB;
  const js = total('.js');
  const css = total('.css');
  const tooBig = js > budget || css > CSS_BUDGET;
  failed ||= tooBig;
  console.log(
    `${tooBig ? 'TOO BIG' : 'ok     '} ${page.padEnd(16)} ${js.toFixed(1).padStart(6)} of ${budget} KB JS, ${css.toFixed(1).padStart(5)} of ${CSS_BUDGET} KB CSS`,
  );
}
if (failed) process.exit(1);
