import { defineConfig } from '@playwright/test';
import { DAILY, NIGHTLY, nameOf, type Round } from './e2e/support/rounds';
import type { Options } from './e2e/support/test';
import { browserPath } from './tools/browser.js';

const SWEEP = '**/every-route.spec.ts';

/** Nightly runs add the tests with the tag @soak, and another look at every route. */
const soak = Boolean(process.env.SOAK);
const rounds = soak ? [DAILY, NIGHTLY] : [DAILY];

// A real Chromium against the whole product on embedded servers, one for each worker.
export default defineConfig<Options & { round: Round }>({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  grepInvert: soak ? undefined : /@soak/,
  retries: 0,
  workers: process.env.E2E_URL ? 1 : 2,
  reporter: process.env.CI ? 'dot' : 'list',
  // For long scenarios on a busy machine; a hanging step fails sooner.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    launchOptions: { executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] },
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // A trace has snapshots of the pages; screenshots would take a tenth of the processor time.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
  // The longest tests come first, so that both workers end at about the same time.
  projects: [
    ...rounds.map((round) => ({ name: nameOf(round), testMatch: SWEEP, use: { look: round.look, round } })),
    { name: 'journeys', testIgnore: [SWEEP, '**/pictures/**'] },
  ],
});
