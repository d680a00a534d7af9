// The browser that end-to-end tests and Lighthouse drive, printed by `node tools/browser.js`, which
// fails if there is none.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const CANDIDATES = [
  '/usr/bin/chromium-headless-shell', // has the engine of the full browser and needs less CPU
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
];

/**
 * The path of the browser: CHROMIUM_PATH, else the system's, else Playwright's; undefined if there
 * is none.
 */
export const browserPath = process.env.CHROMIUM_PATH || CANDIDATES.find((path) => existsSync(path));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!browserPath) process.exit(1);
  console.log(browserPath);
}
