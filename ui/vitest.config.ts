import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that replace modules: others must not get what they imported, nor they what others did. */
const OWN_MODULES = [
  'src/features/shell/toaster/toaster.test.tsx',
  'src/features/inbox/composer.test.tsx',
  'src/features/session/session-ended-note.test.tsx',
  'src/features/session/page-owner.test.tsx',
  'src/realtime/start.test.tsx',
  'src/root.test.tsx',
];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000' } },
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 20_000, // a loaded machine is no failure
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2, // by default the one of two cores that the tests wait on is left idle
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.{ts,tsx}', 'tools/**/*.test.js'],
          exclude: [...configDefaults.exclude, ...OWN_MODULES],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own modules', include: OWN_MODULES } },
    ],
  },
});
