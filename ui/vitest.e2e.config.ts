import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** In these modes the same stack has its pictures taken instead. */
const MODES: Record<string, string> = { screenshots: 'e2e/screenshots.ts', 'docs-screenshots': 'e2e/docs-screenshots.ts' };

// A real Chromium against the whole product on embedded servers. Two files at a time, each with a product and a database of its own: tests move
// the clock and look into queues.
export default defineConfig(({ mode }) => ({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: [MODES[mode] ?? 'e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    // The pictures show failures, too.
    setupFiles: mode in MODES ? [] : ['e2e/support/faults.ts'],
    pool: 'forks',
    maxWorkers: mode in MODES || process.env.E2E_URL ? 1 : 2,
    // For whole journeys on a busy machine: whatever one of them waits for ends sooner by itself.
    testTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
}));
