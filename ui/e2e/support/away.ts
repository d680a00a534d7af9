import type { BrowserContext, Page, Worker } from '@playwright/test';
import { CUT, provoke } from './faults';
import { idOf, type Person, signUp } from './people';
import { test as base, expect, type Look } from './test';

type Options = { userAgent?: string };

/** People whose browser has the site's service worker. */
export const test = base.extend<{ reader: (look?: Look, options?: Options) => Promise<Person> }>({
  reader: ({ visit }, use) =>
    use(async (look, options) => {
      const visitor = await visit(look, { serviceWorkers: 'allow', ...options });
      const name = await signUp(visitor.context.request, 'reader');
      return { ...visitor, name, id: await idOf(visitor.context.request) };
    }),
});

const NO_SOCKET = /WebSocket connection to .* failed/;

/** The service worker is ready to serve the offline page. */
export async function ready(page: Page): Promise<void> {
  const state = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return navigator.serviceWorker.controller && registration?.active?.state;
    });
  await expect.poll(state).toBe('activated');
}

export function workerOf(context: BrowserContext): Worker {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  return worker;
}

export async function cut(context: BrowserContext): Promise<void> {
  provoke(context, CUT, NO_SOCKET);
  await context.setOffline(true);
}

/** The device's last-seen data. */
export const kept = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('last-seen'));

/** Everything the browser stores for the site except cookies: the texts, and the paths of files. */
export const everythingKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(opened.map((cache) => cache.keys()));
    const paths = requests.flat().map(({ url }) => new URL(url).pathname);
    return JSON.stringify([localStorage, sessionStorage, paths, await indexedDB.databases()]);
  });
