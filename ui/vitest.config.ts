import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';

const testFiles = readdirSync(new URL('./src', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `src/${name}`);

/** Tests that mock modules. They are isolated, so that other files do not get the mocks. */
const REPLACING = testFiles.filter((file) =>
  /\bvi\.(?:mock|doMock|unmock|doUnmock|resetModules)\(/.test(readFileSync(new URL(file, import.meta.url), 'utf8')),
);

/** Delays dynamic imports by up to 1.5 seconds, so that a test that relies on their speed fails. */
const slowImports: Plugin = {
  name: 'slow-imports',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/ui/src/') && !/\.test\.|\/testing\//.test(id)
      ? code.replace(/\bimport\(('[^']+')\)/g, "import('@/testing/slow').then(({ slow }) => slow(1_500)).then(() => import($1))")
      : null,
};

export default defineConfig({
  plugins: [react(), ...(process.env.SOAK ? [slowImports] : [])],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000' } },
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 60_000, // a busy machine is no failure
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
    maxWorkers: 2, // the default, one fewer than cores, leaves a core idle while a test waits
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.{ts,tsx}', 'tools/**/*.test.js'],
          exclude: [...configDefaults.exclude, ...REPLACING],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own modules', include: REPLACING } },
    ],
  },
});
