// The part of a service worker's global scope in use. TypeScript's own types conflict with those of
// pages.

type Extendable = { waitUntil: (work: Promise<unknown>) => void };

export type FetchEvent = Extendable & {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith: (response: Promise<Response>) => void;
};
export type PushEvent = Extendable & { readonly data: { text: () => string } | null };
export type ClickEvent = Extendable & { readonly notification: { readonly data: unknown; close: () => void } };
export type ChangeEvent = Extendable & { readonly oldSubscription?: PushSubscription | null };

type Events = {
  install: Extendable;
  activate: Extendable;
  fetch: FetchEvent;
  push: PushEvent;
  notificationclick: ClickEvent;
  pushsubscriptionchange: ChangeEvent;
};

export type Client = { readonly url: string; focus: () => Promise<unknown> };

export type Scope = {
  addEventListener: <K extends keyof Events>(type: K, listener: (event: Events[K]) => void) => void;
  skipWaiting: () => Promise<void>;
  readonly location: { readonly origin: string };
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete'>;
  readonly fetch: (request: Request | string, init?: RequestInit) => Promise<Response>;
  readonly clients: {
    claim: () => Promise<void>;
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<readonly Client[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
  readonly registration: {
    readonly navigationPreload?: { enable: () => Promise<void> };
    readonly pushManager: Pick<PushManager, 'subscribe'>;
    showNotification: (title: string, options: NotificationOptions) => Promise<void>;
  };
};

/** Values from the build (tools/service-worker.ts). */
export type Build = {
  /** Changes with the content of the files. */
  version: string;
  /** The offline document. */
  shell: string;
  files: readonly string[];
};
