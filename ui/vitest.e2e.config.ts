import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A real Chromium against the whole product on embedded servers. Two files at a time, each with a product and a database of its own: tests move
// the clock and look into queues.
// In the mode "screenshots" the same stack has its pictures taken instead.
export default defineConfig(({ mode }) => ({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: mode === 'screenshots' ? ['e2e/screenshots.ts'] : ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    setupFiles: ['e2e/support/faults.ts'],
    pool: 'forks',
    maxWorkers: mode === 'screenshots' || process.env.E2E_URL ? 1 : 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));
