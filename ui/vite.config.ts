import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { keepDistFolder } from './tools/keep-dist.ts';
import { precompress } from './tools/precompress.ts';
import { preloadFonts } from './tools/preload-fonts.ts';

const EVERYWHERE =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/[\w-]+(?!.*[iI]nfinite)|openapi-fetch|clsx|class-variance-authority|@radix-ui\/react-(?:slot|compose-refs))\//;

export default defineConfig({
  plugins: [
    // The router's plugin must see the sources before the React plugin compiles them.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A page's loader and skeleton travel with the page: left out of the group they would land in the entry, and every page would carry
      // the queries and style sheets of all others.
      codeSplittingOptions: {
        defaultBehavior: [['loader', 'component', 'pendingComponent'], ['errorComponent'], ['notFoundComponent']],
      },
    }),
    react(),
    tailwindcss(),
    preloadFonts(['hanken-grotesk-latin-wght-normal', 'besley-latin-wght-normal']),
    precompress(),
    keepDistFolder(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Fonts and pictures stay files of their own: the policy of the page allows no data: fonts.
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: {
      output: {
        // A few files instead of fifty small ones: what every page needs and outlives most deploys, and what most pages share.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: EVERYWHERE, priority: 2 },
            // What every page needs to know of all others: where they are and how their addresses read.
            { name: 'routes', test: /src\/(?:routes\/[^?]+\.tsx|routeTree\.gen\.ts|features\/[^?]+-search\.ts)$/, priority: 1 },
            // The admin area has many pages, and nobody else wants what only they share.
            { name: 'shared', test: /src\/(?!features\/admin\/|i18n\/en\/admin)|lucide/, minShareCount: 10 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:8080', changeOrigin: false, ws: true } },
  },
});
