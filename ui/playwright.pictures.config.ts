import { defineConfig } from '@playwright/test';
import type { Options } from './e2e/support/test';
import base from './playwright.config';

const WIDTHS = [1280, 360];
const LOOKS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['bn', 'light'],
] as const;

const SCREENSHOTS = '**/screenshots.spec.ts';

// Screenshots of the same stack: `npm run screenshots` and `npm run docs-screenshots`.
export default defineConfig<Options>(base, {
  testDir: 'e2e/pictures',
  projects: [
    { name: 'docs', testMatch: '**/docs.spec.ts' },
    ...LOOKS.flatMap(([language, theme]) =>
      WIDTHS.map((width) => ({
        name: `${language}-${theme}-${width}`,
        testMatch: SCREENSHOTS,
        use: { look: { language, theme, width } },
      })),
    ),
  ],
});
