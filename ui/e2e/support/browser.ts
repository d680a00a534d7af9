import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// In one process the pages of one person make their calls with the cookies of another.
const SHARED = '--single-process';

/** The browser of CHROMIUM_PATH, else the system's, else the one that comes with the packages. */
export async function launch(): Promise<Browser> {
  const path = process.env.CHROMIUM_PATH ?? SYSTEM.find((candidate) => existsSync(candidate));
  if (path)
    return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  const { default: bundled } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await bundled.executablePath(), args: bundled.args.filter((arg) => arg !== SHARED) });
}

export type Look = { language?: 'en' | 'bn'; theme?: 'light' | 'dark'; width?: number; height?: number };

// Refusals that a test provokes; everything else on the console is a fault of the page.
const EXPECTED = /status of 4\d\d/;

/** Another person's browser: own cookies and storage. `faults` collects what must stay empty: errors, refused policies. */
export async function visit(browser: Browser, { language = 'en', theme = 'light', width = 1280, height = 900 }: Look = {}) {
  const context = await browser.newContext({ baseURL: inject('url'), viewport: { width, height }, reducedMotion: 'reduce' });
  await context.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      // Only the first time: a page that stores another choice keeps it.
      localStorage.language ??= chosenLanguage;
      localStorage.theme ??= chosenTheme;
    },
    [language, theme] as const,
  );
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text());
  });
  return { context, page, faults };
}

export const DEMO_PASSWORD = 'amanat-demo';

/** Signs a demo user (admin, buyer, seller) or any other in, without the form. */
export async function signIn(context: BrowserContext, username: string, password = DEMO_PASSWORD): Promise<void> {
  const answer = await context.request.post('/api/auth/login', { data: { username, password } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** A new user with a session in this browser; the name is unlike any other. */
export async function signUp(context: BrowserContext, prefix = 'user'): Promise<string> {
  const username = `${prefix}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  const answer = await context.request.post('/api/auth/signup', {
    data: { username, email: `${username}@example.com`, password: DEMO_PASSWORD, referredBy: null },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return username;
}

/** What axe finds wrong on the page, and whether it scrolls sideways: both must be nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(found).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, 'pixels of sideways scroll').toBe(0);
}
