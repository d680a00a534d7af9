import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { componentPage } from './tools/component-page.ts';
import { dropFallback } from './tools/drop-fallback.ts';
import { keepDistFolder } from './tools/keep-dist.ts';
import { precompress } from './tools/precompress.ts';
import { preloadFonts } from './tools/preload-fonts.ts';
import { prerender } from './tools/prerender.ts';
import { MEMBERS_LIBRARY_FILES, ROUTE_MODULES, ROUTE_PARTS } from './tools/prerender-chunks.js';
import { routeLists } from './tools/route-lists.ts';
import { serviceWorker } from './tools/service-worker.ts';

const EVERYWHERE =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/[\w-]+(?!.*[iI]nfinite)|clsx|tailwind-merge|class-variance-authority|@radix-ui\/react-(?:slot|compose-refs))\//;

/** What all forms have: without a file of its own, the login has 2 KB more. */
const FORM =
  /src\/(?:components\/(?:form-field|pending-button|failure|ui\/(?:field|label|input|input-group))|lib\/(?:forms|rules))\.tsx?$/;

/** What forms with rules have. Without files of their own, these come with what most pages share: 15 KB where there is no form. */
const FORM_VALUES = /node_modules\/react-hook-form\//;
const FORM_RULES = /node_modules\/(?:@hookform|zod)\/|src\/hooks\/use-draft-form/;

/** What pages keep and send for those who are logged in. Alone, since the forms of visitors use parts of it: 4 KB there. */
const SIGNED_IN = /src\/lib\/(?:draft|storage|idempotency|per-client|realtime\/live)\.tsx?$/;

/** The frame of visitors' pages and what they have in common with those behind them: one file compresses better than ten. */
const FRAME =
  /src\/(?:features\/shell\/(?:footer|navbar\/(?:nav|visitor-header|switches)|banners\/(?:offline|verify)-banner|fallback-pages)|i18n\/en\/shell|entities\/user\/guards)|src\/(?:lib\/(?:cn|money|outcomes)|entities\/(?:deal\/(?:status|khata\/holder)|wallet\/exchange-rate)|i18n\/numbers|components\/(?:classes|note|logo|lazy-part|load-failed|pending-button|seal-mark|ui\/(?:alert|skeleton)))\.tsx?$|icons\/arrow-(?:right|down)\.mjs$/;

/** What the router needs before a page is opened, beside the routes. */
const BEFORE_ROUTES =
  /src\/(?:routeTree\.gen|router|app|lib\/fonts|prerender\/(?:hydration|router-internals)|(?:features|lib)\/[^?]+-search|lib\/search-params|entities\/user\/search-limits)\.tsx?$/;

/** What visitors' pages have no use for: lists without an end, messages and money on their way, the live connection, the words of chat, pages in grey, dialogs, tables. */
const NOT_FOR_VISITORS =
  /src\/(?:lib\/(?:realtime\/|idempotency|storage-owner)|realtime\/|entities\/(?:wallet\/operations|chat\/|moderation\/))|src\/i18n\/en\/chat|components\/(?:skeleton-page|empty-state|dialog-panel|section|ui\/(?:dialog|alert-dialog|overlay|empty|badge|table))/;

/** The pages behind the login, and the names of their files. */
const MEMBERS_PAGE = /\/src\/routes\/_(?:app|admin)[/.]/;
const MEMBERS_CHUNK = /assets\/m-[\w-]{7}\.js$/;

/** The chunks that the entry imports, and their file names. Every page has them, so none lists them as what it needs. */
const ENTRY = ['rolldown-runtime', 'vendor', 'routes'];
const ENTRY_CHUNK = /assets\/e-[\w-]{7}\.js$/;

const isForVisitors = (id: string) =>
  !NOT_FOR_VISITORS.test(id) && !MEMBERS_LIBRARY_FILES.some((name) => id.includes(`/${name}`));
const shared = (group: RegExp) => (id: string) => group.test(id) && isForVisitors(id);

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // The router's plugin must see the sources before the React plugin compiles them.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A page's loader and skeleton travel with the page: left out of the group they would land in the entry, and every page would carry
      // the queries and style sheets of all others.
      codeSplittingOptions: {
        defaultBehavior: ROUTE_PARTS,
      },
    }),
    routeLists(),
    react(),
    tailwindcss(),
    dropFallback(),
    componentPage(),
    preloadFonts(['hanken-grotesk-latin-wght-normal', 'besley-latin-wght-normal']),
    keepDistFolder(),
    prerender(),
    serviceWorker(),
    precompress(),
  ],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      // React has the hook. The shim for older versions of it is 0.2 KB on every page.
      {
        find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/,
        replacement: 'use-sync-external-store/with-selector.js',
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    // Fonts and pictures stay files of their own: the policy of the page allows no data: fonts.
    assetsInlineLimit: 0,
    target: 'es2022',
    // What Tailwind needs anyway: without it each underline's colour is written four times for older ones.
    cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
    modulePreload: {
      polyfill: false, // every browser that the styles need has it
      // Every page carries the list of what each other page needs, so that a link loads it all at once. Pages behind the login are left out, or
      // visitors on a phone would carry 2 KB for them: their documents name it (tools/prerender.ts).
      resolveDependencies: (file, needed) => (MEMBERS_CHUNK.test(file) ? [] : needed.filter((name) => !ENTRY_CHUNK.test(name))),
    },
    rolldownOptions: {
      output: {
        // Every page carries the names of all files, so they are short: the manifest says what is in them, which saves 1 to 2 KB a page. Of the
        // hash, which does not compress, seven characters are enough to tell a deploy from the others.
        ...(!isSsrBuild && {
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: ({ name, facadeModuleId }) => {
            if (ENTRY.includes(name)) return 'assets/e-[hash:7].js';
            return MEMBERS_PAGE.test(facadeModuleId ?? '') ? 'assets/m-[hash:7].js' : 'assets/[hash:7].js';
          },
          assetFileNames: ({ names }) => (names[0]?.endsWith('.css') ? 'assets/[hash:7].css' : 'assets/[name]-[hash:7][extname]'),
        }),
        // A few files instead of fifty small ones: what every page needs and outlives most deploys, what the router knows of every page before it
        // is opened (small files that are all alike; together they compress to a third), and what most pages share.
        codeSplitting: !isSsrBuild && {
          groups: [
            { name: 'vendor', test: shared(EVERYWHERE), priority: 3 },
            {
              name: 'routes',
              test: (id) => ROUTE_MODULES.test(id) || BEFORE_ROUTES.test(id),
              priority: 2,
            },
            { name: 'frame', test: FRAME, priority: 1 },
            // Alone, or it brings its neighbours to the page of the leaders: 2 KB.
            { name: 'avatar', test: /src\/(?:components\/ui\/|entities\/user\/user-)avatar\.tsx$/, priority: 1 },
            { name: 'form', test: FORM, priority: 1 },
            { name: 'form-values', test: FORM_VALUES, priority: 1 },
            { name: 'form-rules', test: FORM_RULES, priority: 1 },
            // The words of the hold: without a file of their own, the landing page has 1 KB more.
            { name: 'khata', test: /src\/i18n\/en\/khata\.ts$/, priority: 1 },
            // Alone, or "Page not found" and the login bring what most pages share: 2 to 4 KB.
            { name: 'strip', test: /src\/(?:components\/empty-|entities\/deal\/khata\/)strip\.tsx$/, priority: 1 },
            // Alone, or the pages of text, which have a date, bring what most pages share: 4 KB.
            { name: 'time', test: /src\/lib\/time\.ts$/, priority: 1 },
            // Alone, or a post's page, the conversation and the log-in bring the form of posts: 26 KB.
            { name: 'post', test: /src\/entities\/post\/post-query\.ts$/, priority: 1 },
            { name: 'signed-in', test: SIGNED_IN, priority: 1 },
            // The admin area has many pages, and next to nobody else wants what they share. With `use-still-here`, which many pages import,
            // the report of a bug would be some bytes over its budget.
            {
              name: 'shared',
              test: shared(
                /src\/(?!features\/admin\/|i18n\/en\/admin|lib\/(?:amount|letters)|entities\/deal\/(?:use-deal-)?title|hooks\/use-(?:close-address|still-here))|lucide/,
              ),
              minShareCount: 16,
            },
            // Parts of a few hundred bytes that almost the same pages share.
            { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 500 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    // The API opens sockets only for pages of its own address, so the proxy says that this is one.
    proxy: {
      '/api': {
        target: process.env.API_URL ?? 'http://127.0.0.1:8080',
        changeOrigin: false,
        ws: true,
        rewriteWsOrigin: true,
      },
    },
  },
}));
