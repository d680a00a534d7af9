import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page, Route } from '@playwright/test';
import { CUT, provoke } from './faults';

/** Longest delay of a call at night, in milliseconds. */
const SLOW = 1_500;

/** At night (SOAK=1), delays each call by a random time. */
export async function delayCalls(context: BrowserContext): Promise<void> {
  if (!process.env.SOAK) return;
  await context.route('**/api/**', async (route) => {
    await wait(Math.random() * SLOW);
    // The page may be closed by now.
    await route.continue().catch(() => undefined);
  });
}

/** Takes the network away, until `setOffline(false)`. */
export async function goOffline(context: BrowserContext): Promise<void> {
  provoke(context, CUT);
  await context.setOffline(true);
}

/** Aborts calls to the address, until `unroute`. */
export async function breakOff(page: Page, address: string): Promise<void> {
  provoke(page.context(), CUT);
  await page.route(address, (route) => route.abort());
}

/** The next call to the address succeeds, but its response is lost. */
export async function loseAnswer(page: Page, address: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  provoke(page.context(), CUT);
  await page.route(address, lose, { times: 1 });
}

/** The next call to the address succeeds; its response waits for `letThrough`. */
export async function holdAnswer(page: Page, address: string): Promise<{ done: Promise<void>; letThrough: () => void }> {
  let letThrough: () => void = () => undefined;
  let finish: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const hold = async (route: Route) => {
    const response = await route.fetch();
    finish();
    await allowed;
    await route.fulfill({ response });
  };
  await page.route(address, hold, { times: 1 });
  return { done, letThrough };
}

/** Waits until the page has made no call for half a second, the only sign that it is idle. */
export const quiet = (page: Page): Promise<void> =>
  // oxlint-disable-next-line playwright/no-networkidle
  page.waitForLoadState('networkidle');
