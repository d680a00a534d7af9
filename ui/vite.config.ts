import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';
import { componentPage } from './tools/component-page.ts';
import { keepDistFolder } from './tools/keep-dist.ts';
import { precompress } from './tools/precompress.ts';
import { preloadFonts } from './tools/preload-fonts.ts';
import { prerender } from './tools/prerender.ts';
import { ROUTE_PARTS } from './tools/prerender-chunks.js';
import { serviceWorker } from './tools/service-worker.ts';

const isOurs = (id: string) => id.includes('/src/') && !id.endsWith('/main.tsx') && !id.endsWith('.css');
const OUTPUT: Rolldown.OutputOptions = {
  chunkFileNames: 'assets/[hash:8].js', // each page carries the names of all others
  codeSplitting: {
    // What every page has. Its libraries outlive most deploys.
    groups: [
      { name: 'vendor', tags: ['$initial'], test: (id) => id.includes('/node_modules/') },
      { name: 'app', tags: ['$initial'], test: isOurs },
    ],
    // What a few pages share is copied into each, where it would be one of a hundred small files.
    experimentalInlineCommonChunks: { maxSize: 40 * 1024, exclude: (id) => id.endsWith('.css') },
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // Before React's plugin, which compiles the sources that it splits.
    tanstackRouter({ target: 'react', autoCodeSplitting: true, codeSplittingOptions: { defaultBehavior: ROUTE_PARTS } }),
    react(),
    tailwindcss(),
    componentPage(),
    preloadFonts(['hanken-grotesk-latin-wght-normal', 'besley-latin-wght-normal']),
    keepDistFolder(),
    prerender(),
    serviceWorker(),
    precompress(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    manifest: !isSsrBuild,
    assetsInlineLimit: 0, // the page's policy allows no data: fonts
    target: 'es2022',
    cssTarget: ['chrome111', 'firefox128', 'safari16.4'], // what Tailwind needs anyway
    // Documents name the files of their page. Later code has few files, and carries no list of
    // them.
    modulePreload: { polyfill: false, resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : []) },
    rolldownOptions: isSsrBuild
      ? {}
      : { preserveEntrySignatures: false, optimization: { inlineConst: { mode: 'all', pass: 3 } }, output: OUTPUT },
  },
  server: {
    host: '127.0.0.1',
    // The API opens sockets only for pages of its own address, so the proxy says that this is one.
    proxy: {
      '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:8080', changeOrigin: false, ws: true, rewriteWsOrigin: true },
    },
  },
}));
