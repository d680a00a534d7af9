import type { Locator, Page } from '@playwright/test';
import type { FileRouteTypes } from '@/routeTree.gen';
import type { Demo, Who } from './cast';

export type Scene = {
  /** The name of its picture. */
  name: string;
  who: Who;
  path: string;
  /** What happens to the page before it is opened: mostly to its network. */
  before?: (page: Page) => Promise<unknown>;
  /** What must be there, as a selector. Else the network has to fall silent. */
  shows?: string;
  /** What is done on the page before its picture is taken. */
  act?: (page: Page) => Promise<unknown>;
  /** Only what the window shows: for what lies over the page. */
  window?: true;
};

/** The scenes of each route. One without scenes leads elsewhere. A new route is missed by the compiler. */
export type Scenes<Route extends string = FileRouteTypes['to']> = (demo: Demo) => Record<Route, Scene[]>;

/** A page as it stands, by its path. */
export const still = (who: Who, name: string, path: string): Scene => ({ who, name, path });

/** The same scene where the answer to a call says something else than the demo has. */
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

/** A page with something over it, which opens when that is clicked. */
export const opened = (who: Who, name: string, path: string, opener: string, last = false): Scene => ({
  ...{ who, name, path, window: true },
  act: async (page) => {
    const openers = page.locator(opener).filter({ visible: true });
    await (last ? openers.last() : openers.first()).click();
    await overlay(page).waitFor();
  },
});

export const overlay = (page: Page): Locator => page.locator(OVERLAY).first();

/** A page whose address opens something over it. */
export const covered = (who: Who, name: string, path: string): Scene => ({
  ...{ who, name, path, window: true },
  act: (page) => overlay(page).waitFor(),
});

/** A form that was sent as it is, with what it says to that. */
export const refused = (who: Who, name: string, path: string): Scene => ({
  ...{ who, name, path },
  act: async (page) => {
    await page.locator('main form [type=submit]').first().click();
    await page.locator('[aria-invalid="true"], [data-sonner-toast]').first().waitFor();
  },
});

/** A page while an answer of the API is on its way. */
export const loading = (who: Who, name: string, path: string, call: string): Scene => ({
  ...{ who, name: `${name}-loading`, path, shows: '[data-slot="skeleton"]', window: true },
  before: (page) => page.route(`**/api${call}`, () => undefined),
});

/** A page for which the API has no answer. */
export const failing = (who: Who, name: string, path: string, call: string): Scene => ({
  ...{ who, name: `${name}-failed`, path, shows: 'main [role=alert]', window: true },
  before: (page) =>
    page.route(`**/api${call}`, (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Something went wrong' } }),
    ),
});
