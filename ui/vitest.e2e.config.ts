import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** In these modes the same stack has its pictures taken instead. */
const MODES: Record<string, string> = { screenshots: 'e2e/screenshots.ts', 'docs-screenshots': 'e2e/docs-screenshots.ts' };

// A real Chromium against the whole product on embedded servers. One file at a time: they share one machine and one database.
export default defineConfig(({ mode }) => ({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: [MODES[mode] ?? 'e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));
