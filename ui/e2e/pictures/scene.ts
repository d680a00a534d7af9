import type { Locator, Page } from '@playwright/test';
import type { FileRouteTypes } from '@/routeTree.gen';
import type { Demo, Who } from './cast';

export type Scene = {
  /** The picture's file name. */
  name: string;
  who: Who;
  path: string;
  /** Prepares the page, mostly its network. */
  before?: (page: Page) => Promise<unknown>;
  /** A selector to wait for, instead of a quiet network. */
  shows?: string;
  /** Runs before the picture. */
  act?: (page: Page) => Promise<unknown>;
  /** Only the viewport, for overlays. */
  window?: true;
  /** Not on phones, which do not have it. */
  wide?: true;
};

/** The scenes of each route; none if it redirects. The compiler finds missing routes. */
export type Scenes<Route extends string = FileRouteTypes['to']> = (demo: Demo) => Record<Route, Scene[]>;

/** A page without further action. */
export const still = (who: Who, name: string, path: string): Scene => ({ who, name, path });

/** The same scene with a changed response. */
export const patched = (scene: Scene, call: string, change: (answer: never) => object): Scene => ({
  ...scene,
  before: async (page) => {
    await scene.before?.(page);
    await page.route(`**/api${call}`, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      return route.fulfill({ response, json: change((await response.json()) as never) });
    });
  },
});

const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu]';

/** A page with an overlay opened by a click. */
export const opened = (who: Who, name: string, path: string, opener: string, last = false): Scene => ({
  ...{ who, name, path, window: true },
  act: async (page) => {
    const openers = page.locator(opener).filter({ visible: true });
    await (last ? openers.last() : openers.first()).click();
    await overlay(page).waitFor();
  },
});

export const overlay = (page: Page): Locator => page.locator(OVERLAY).first();

/** A page whose address opens an overlay. */
export const covered = (who: Who, name: string, path: string): Scene => ({
  ...{ who, name, path, window: true },
  act: (page) => overlay(page).waitFor(),
});

/** A form submitted empty, with its errors. */
export const refused = (who: Who, name: string, path: string): Scene => ({
  ...{ who, name, path },
  act: async (page) => {
    await page.locator('main form [type=submit]').first().click();
    await page.locator('[aria-invalid="true"], [data-sonner-toast]').first().waitFor();
  },
});

/** A page during a call. */
export const loading = (who: Who, name: string, path: string, call: string): Scene => ({
  ...{ who, name: `${name}-loading`, path, shows: '[data-slot="skeleton"]', window: true },
  before: (page) => page.route(`**/api${call}`, () => undefined),
});

/** A page whose call fails. */
export const failing = (who: Who, name: string, path: string, call: string): Scene => ({
  ...{ who, name: `${name}-failed`, path, shows: 'main [role=alert]', window: true },
  before: (page) =>
    page.route(`**/api${call}`, (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Something went wrong' } }),
    ),
});
