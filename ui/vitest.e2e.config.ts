import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A real Chromium against the whole product on embedded servers. One file at a time: they share one machine and one database.
// In the mode "screenshots" the same stack has its pictures taken instead.
export default defineConfig(({ mode }) => ({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: mode === 'screenshots' ? ['e2e/screenshots.ts'] : ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    setupFiles: ['e2e/support/faults.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));
