import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeOf, ownAddress, showPushes } from './push';
import type { Build, Client, Scope } from './scope';
import { serveShell } from './shell';

const ORIGIN = 'http://localhost:3000';
const BUILD: Build = {
  version: 'v2',
  shell: '/offline.html',
  files: ['/offline.html', '/theme.js', '/assets/offline-abc1234.js'],
};

type Kept = Map<string, string>;

/** A browser with the worker: `caches` by name; `network` answers requests, or throws. */
function aWorker(network: (path: string) => Response | Promise<Response>) {
  const listeners = new Map<string, (event: never) => void>();
  const caches = new Map<string, Kept>();
  const shown: [string, NotificationOptions][] = [];
  const windows: Client[] = [];
  const openWindow = vi.fn<(url: string) => Promise<void>>(() => Promise.resolve());
  const fetch = vi.fn<Scope['fetch']>(async (request) => {
    const path = new URL(typeof request === 'string' ? request : request.url, ORIGIN).pathname;
    return network(path);
  });
  const open = (name: string) => {
    const kept = caches.get(name) ?? new Map<string, string>();
    caches.set(name, kept);
    return Promise.resolve({
      addAll: async (requests: Request[]) => {
        for (const request of requests) kept.set(new URL(request.url).pathname, await (await fetch(request)).text());
      },
      put: async (path: string, response: Response) => {
        kept.set(path, await response.text());
      },
      match: (path: string) => Promise.resolve(kept.has(path) ? new Response(kept.get(path)) : undefined),
    } as unknown as Cache);
  };
  const subscribe = vi.fn(() =>
    Promise.resolve({ toJSON: () => ({ endpoint: 'https://push.example.com/new', keys: { p256dh: 'p', auth: 'a' } }) }),
  );
  const scope = {
    addEventListener: (type: string, listener: (event: never) => void) => listeners.set(type, listener),
    skipWaiting: () => Promise.resolve(),
    location: { origin: ORIGIN },
    caches: {
      open,
      keys: () => Promise.resolve([...caches.keys()]),
      delete: (name: string) => Promise.resolve(caches.delete(name)),
    },
    fetch,
    clients: { claim: () => Promise.resolve(), matchAll: () => Promise.resolve(windows), openWindow },
    registration: {
      pushManager: { subscribe },
      showNotification: (title: string, options: NotificationOptions) => {
        shown.push([title, options]);
        return Promise.resolve();
      },
    },
  } as unknown as Scope;

  /** Dispatches an event and waits for its work. */
  async function happens(type: string, event: object = {}): Promise<void> {
    let work: Promise<unknown> = Promise.resolve();
    const extendable = { ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) };
    listeners.get(type)?.(extendable as never);
    await work;
  }

  /** The worker's response to a page's request; null if it leaves it to the browser. */
  async function answers(path: string, { mode = 'no-cors', method = 'GET' } = {}): Promise<string | null> {
    let answer: Promise<Response> | null = null;
    const request = { url: new URL(path, ORIGIN).href, mode, method };
    const event = { request, preloadResponse: Promise.resolve(undefined) };
    listeners.get('fetch')?.({ ...event, respondWith: (given: Promise<Response>) => (answer = given) } as never);
    const response = await (answer as Promise<Response> | null);
    return response && (response.type === 'error' ? 'error' : await response.text());
  }
  return { scope, caches, shown, windows, openWindow, subscribe, fetch, happens, answers };
}

const online = (path: string) => new Response(`new ${path}`);
const offline = (): Response => {
  throw new TypeError('Failed to fetch');
};

describe('the offline page', () => {
  let network: (path: string) => Response;
  let worker: ReturnType<typeof aWorker>;

  beforeEach(async () => {
    network = online;
    worker = aWorker((path) => network(path));
    worker.caches.set('shell-v1', new Map([['/offline.html', 'old']]));
    worker.caches.set('other', new Map());
    serveShell(worker.scope, BUILD);
    await worker.happens('install');
  });

  it('is kept whole, and replaces that of the version before', async () => {
    await worker.happens('activate');
    expect([...worker.caches.keys()]).toEqual(['other', 'shell-v2']);
    expect([...(worker.caches.get('shell-v2')?.keys() ?? [])]).toEqual(BUILD.files);
  });

  it('is asked of the server, not of the browser’s cache, unless its name changes with it', () => {
    const asked = worker.fetch.mock.calls.map(([request]) => request as Request);
    expect(asked.map(({ url, cache }) => [new URL(url).pathname, cache])).toEqual([
      ['/offline.html', 'reload'],
      ['/theme.js', 'reload'],
      ['/assets/offline-abc1234.js', 'default'],
    ]);
  });

  it('is shown for any page without a network, and only then', async () => {
    expect(await worker.answers('/deal/d-1', { mode: 'navigate' })).toBe('new /deal/d-1');
    network = offline;
    expect(await worker.answers('/deal/d-1', { mode: 'navigate' })).toBe('new /offline.html');
    expect(await worker.answers('/assets/offline-abc1234.js')).toBe('new /assets/offline-abc1234.js');
    expect(await worker.answers('/theme.js')).toBe('new /theme.js');
  });

  it('has the fonts that a page has asked for before', async () => {
    const font = '/assets/noto-sans-bengali-1234567.woff2';
    expect(await worker.answers(font)).toBe(`new ${font}`);
    network = offline;
    expect(await worker.answers(font)).toBe(`new ${font}`);
  });

  it('does not keep a font that could not be had', async () => {
    const font = '/assets/noto-sans-bengali-1234567.woff2';
    network = () => new Response('gone', { status: 404 });
    expect(await worker.answers(font)).toBe('gone');
    network = online;
    expect(await worker.answers(font)).toBe(`new ${font}`);
  });

  it('has no part in pages with a network: what may change is asked for', async () => {
    network = (path) => new Response(`newer ${path}`);
    expect(await worker.answers('/theme.js')).toBe('newer /theme.js');
    expect(await worker.answers('/dashboard', { mode: 'navigate' })).toBe('newer /dashboard');
  });

  it.each([
    ['an answer of the API', '/api/wallet', {}],
    ['a file of the API that is opened', '/api/images/i-1', { mode: 'navigate' }],
    ['a file of the application', '/assets/e-1234567.js', {}],
    ['a form that is sent', '/dashboard', { mode: 'navigate', method: 'POST' }],
    ['another site', 'https://example.com/offline.html', {}],
  ])('stands in for no other: %s', async (_, path, init) => {
    network = offline;
    expect(await worker.answers(path, init)).toBeNull();
  });
});

describe('a push', () => {
  const push = (payload: unknown) => ({
    data: { text: () => (typeof payload === 'string' ? payload : JSON.stringify(payload)) },
  });
  let worker: ReturnType<typeof aWorker>;

  beforeEach(() => {
    worker = aWorker(online);
    showPushes(worker.scope);
  });

  it('is shown with its link, and takes the place of one about the same', async () => {
    await worker.happens('push', push({ title: 'Paid', body: 'A deal was paid.', link: '/deal/d-1', tag: 'd-1', lang: 'en' }));
    expect(worker.shown).toEqual([
      [
        'Paid',
        {
          ...{ body: 'A deal was paid.', lang: 'en', tag: 'd-1', renotify: true, data: { link: '/deal/d-1' } },
          ...{ icon: '/icons/192.png', badge: '/icons/badge.png' },
        },
      ],
    ]);
  });

  it.each(['no JSON', '[]', '7', 'null', '{"title":7}'])('that cannot be read is shown, too: %s', async (payload) => {
    await worker.happens('push', push(payload));
    expect(worker.shown.map(([title]) => title)).toEqual(['Amanat']);
  });

  it('without data is shown, too', async () => {
    await worker.happens('push', { data: null });
    expect(worker.shown.map(([title]) => title)).toEqual(['Amanat']);
    expect(noticeOf(undefined).link).toBe('/dashboard');
  });

  const click = (link: unknown) => ({ notification: { data: { link }, close: vi.fn() } });

  it('that is clicked opens its link in a window of its own', async () => {
    const event = click('/deal/d-1');
    worker.windows.push({ url: `${ORIGIN}/posts/create`, focus: vi.fn() });
    await worker.happens('notificationclick', event);
    expect(event.notification.close).toHaveBeenCalledOnce();
    expect(worker.openWindow).toHaveBeenCalledWith(`${ORIGIN}/deal/d-1`);
  });

  it('that is clicked leads to the window that shows it already', async () => {
    const focus = vi.fn(() => Promise.resolve());
    worker.windows.push({ url: `${ORIGIN}/deal/d-1`, focus });
    await worker.happens('notificationclick', click('/deal/d-1'));
    expect(focus).toHaveBeenCalledOnce();
    expect(worker.openWindow).not.toHaveBeenCalled();
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'http://[', 7, undefined])(
    'leads to no other site: %s',
    (link) => {
      expect(ownAddress(link, ORIGIN)).toBe(`${ORIGIN}/dashboard`);
    },
  );

  it('goes on under the subscription with which its service replaces one', async () => {
    const key = new ArrayBuffer(65);
    await worker.happens('pushsubscriptionchange', { oldSubscription: { options: { applicationServerKey: key } } });
    expect(worker.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: key });
    const [[path, init] = []] = worker.fetch.mock.calls;
    expect([path, init?.method]).toEqual(['/api/push/subscriptions', 'POST']);
    expect(JSON.parse(init?.body as string)).toEqual({
      endpoint: 'https://push.example.com/new',
      keys: { p256dh: 'p', auth: 'a' },
    });
  });
});
