import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { keepDistFolder } from './tools/keep-dist';
import { precompress } from './tools/precompress';
import { preloadFonts } from './tools/preload-fonts';

export default defineConfig({
  plugins: [
    // The router's plugin must see the sources before the React plugin compiles them.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A page's skeleton travels with the page; left out of the groups it would land in the entry with its style sheet.
      codeSplittingOptions: { defaultBehavior: [['component', 'pendingComponent'], ['errorComponent'], ['notFoundComponent']] },
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      quoteStyle: 'single',
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
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:8080', changeOrigin: false, ws: true } },
  },
});
