import type { BrowserContext, Page } from '@playwright/test';
import { quiet } from '../support/network';
import { signIn } from '../support/people';
import type { Look, Visit } from '../support/test';
import { nameOf, type Who } from './cast';
import type { Scene } from './scene';

const PATIENCE = 20_000;

/** Nothing is loading, and no placeholders or spinners are left. */
async function settled(page: Page): Promise<void> {
  await quiet(page);
  await page.waitForFunction(
    () =>
      document.querySelector('main :is(h1, h2)') &&
      !document.querySelector('[data-slot="skeleton"], main > [data-slot="spinner"]'),
  );
}

/** The viewers' browsers, all of one look; each signs in once. */
export function stage(visit: Visit, look: Look) {
  const seats = new Map<Who, BrowserContext>();

  const seat = async (who: Who): Promise<BrowserContext> => {
    const taken = seats.get(who);
    if (taken) return taken;
    const { context, page } = await visit(look);
    await page.close();
    if (who !== 'visitor') await signIn(context.request, nameOf(who));
    context.setDefaultTimeout(PATIENCE);
    seats.set(who, context);
    return context;
  };

  /** Opens a page and prepares its picture. */
  const show = async ({ who, path, before, shows, act }: Scene): Promise<Page> => {
    const page = await (await seat(who)).newPage();
    await before?.(page);
    await page.goto(path);
    await (shows === undefined ? settled(page) : page.locator(shows).filter({ visible: true }).first().waitFor());
    await act?.(page);
    await page.evaluate(() => document.fonts.ready);
    return page;
  };

  return { show, close: () => Promise.all([...seats.values()].map((context) => context.close())) };
}
