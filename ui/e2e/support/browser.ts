import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { watch } from './faults';

const SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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

/** The product of this worker: its tests have it for themselves. */
function site(): string {
  const urls = inject('urls');
  const url = urls[(Number(process.env.VITEST_POOL_ID) - 1) % urls.length];
  if (!url) throw new Error('vitest does not say which worker this is');
  return url;
}

export type Look = { language?: 'en' | 'bn'; theme?: 'light' | 'dark'; width?: number; height?: number };

/** Another person's browser: own cookies and storage. What its pages complain of fails the test (support/faults.ts). */
export async function visit(browser: Browser, { language = 'en', theme = 'light', width = 1280, height = 900 }: Look = {}) {
  const context = await browser.newContext({ baseURL: site(), viewport: { width, height }, reducedMotion: 'reduce' });
  await context.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      // An empty tab has no storage.
      if (location.origin === 'null') return;
      // Only the first time: a page that stores another choice keeps it.
      localStorage.language ??= chosenLanguage;
      localStorage.theme ??= chosenTheme;
    },
    [language, theme] as const,
  );
  await watch(context);
  return { context, page: await context.newPage() };
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
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(found, where).toEqual([]);
  expect(await overflow(page), `${where}: pixels of sideways scroll`).toBe(0);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The page is as wide as the window, and whatever can be pressed or filled in lies within it, not cut off at a side. */
export async function expectFits(page: Page, where = page.url()): Promise<void> {
  expect(await overflow(page), `${where}: pixels of sideways scroll`).toBe(0);
  const cutOff = await page.evaluate(() => {
    /** What shows of an element sideways: null where its box can be scrolled there. */
    const sight = (element: Element): [left: number, right: number] | null => {
      let [left, right] = [0, window.innerWidth];
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
        const { overflowX } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll') return null;
        if (overflowX === 'visible') continue;
        const edges = box.getBoundingClientRect();
        [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      }
      return [left, right];
    };
    return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
      .filter((control) => !control.matches('.sr, .skip') && control.checkVisibility({ opacityProperty: true }))
      .filter((control) => {
        const seen = sight(control);
        const { left, right } = control.getBoundingClientRect();
        return seen !== null && (left < seen[0] - 1 || right > seen[1] + 1);
      })
      .map((control) => control.outerHTML.slice(0, 100));
  });
  expect(cutOff, where).toEqual([]);
}
