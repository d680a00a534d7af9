import { type BrowserContextOptions, test as base, expect } from '@playwright/test';
import { takeFaults, watch } from './faults';
import { delayCalls } from './network';
import { idOf, type Person, signIn, signUp, type Visitor } from './people';
import { siteOf } from './sites';

export { expect };

export type Look = { language?: 'en' | 'bn'; theme?: 'light' | 'dark'; width?: number; height?: number };

/** Demo users of the local stack. */
export type DemoUser = 'admin' | 'sadia' | 'buyer' | 'seller';

export type Visit = (look?: Look, options?: BrowserContextOptions) => Promise<Visitor>;

type Session = { id: string; storageState: BrowserContextOptions['storageState'] };

export type Options = {
  /** The look of `page` and of every browser without one. */
  look: Look;
  buyerLook: Look;
  sellerLook: Look;
};

type Fixtures = {
  /** Fails the test if a page logs an error, throws or violates its CSP. It ends last. */
  faults: undefined;
  /** Opens another browser, closed after the test. */
  visit: Visit;
  /** Signs up a new user in another browser; their name begins with the prefix. */
  newcomer: (prefix: string, look?: Look) => Promise<Person>;
  /** Opens another browser with a demo user signed in. */
  signedIn: (name: DemoUser, look?: Look) => Promise<Person>;
  visitor: Visitor;
  /** A new user at a desk. */
  buyer: Person;
  /** A new user on a phone. */
  seller: Person;
  admin: Person;
};

type WorkerFixtures = {
  /** The session of a demo user, shared by the tests of a worker. */
  session: (name: DemoUser) => Promise<Session>;
};

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  look: [{}, { option: true }],
  buyerLook: [{}, { option: true }],
  sellerLook: [{ width: 360 }, { option: true }],

  baseURL: ({}, use, { parallelIndex }) => use(siteOf(parallelIndex)),

  session: [
    async ({ playwright }, use, { parallelIndex }) => {
      const known = new Map<DemoUser, Session>();
      const start = async (name: DemoUser): Promise<Session> => {
        const request = await playwright.request.newContext({ baseURL: siteOf(parallelIndex) });
        await signIn(request, name);
        const session = { id: await idOf(request), storageState: await request.storageState() };
        await request.dispose();
        known.set(name, session);
        return session;
      };
      await use(async (name) => known.get(name) ?? (await start(name)));
    },
    { scope: 'worker' },
  ],

  faults: [
    async ({}, use) => {
      await use(undefined);
      expect(takeFaults(), 'what the pages complained of').toEqual([]);
    },
    { auto: true },
  ],

  visit: async ({ browser, look }, use) => {
    const opened: Visitor[] = [];
    await use(async (own, options) => {
      const { language = 'en', theme = 'light', width = 1280, height = 900 } = { ...look, ...own };
      // Tests cannot answer requests that pass through a service worker, so only its own tests have
      // one.
      const context = await browser.newContext({ viewport: { width, height }, serviceWorkers: 'block', ...options });
      await context.addInitScript(
        ([chosenLanguage, chosenTheme]) => {
          // An empty tab has no storage.
          if (location.origin === 'null') return;
          // Only at first: a page that stores another choice keeps it.
          localStorage.language ??= chosenLanguage;
          localStorage.theme ??= chosenTheme;
        },
        [language, theme] as const,
      );
      await watch(context);
      await delayCalls(context);
      const visitor = { context, page: await context.newPage() };
      opened.push(visitor);
      return visitor;
    });
    await Promise.all(opened.map(({ context }) => context.close()));
  },

  newcomer: ({ visit }, use) =>
    use(async (prefix, look) => {
      const visitor = await visit(look);
      const name = await signUp(visitor.context.request, prefix);
      return { ...visitor, name, id: await idOf(visitor.context.request) };
    }),

  signedIn: ({ visit, session }, use) =>
    use(async (name, look) => {
      const { id, storageState } = await session(name);
      return { ...(await visit(look, { storageState })), name, id };
    }),

  visitor: async ({ visit }, use) => use(await visit()),
  context: ({ visitor }, use) => use(visitor.context),
  page: ({ visitor }, use) => use(visitor.page),

  buyer: async ({ newcomer, buyerLook }, use) => use(await newcomer('nusrat', buyerLook)),
  seller: async ({ newcomer, sellerLook }, use) => use(await newcomer('tanvir', sellerLook)),
  admin: async ({ signedIn }, use) => use(await signedIn('admin')),
});
