import type { Build, FetchEvent, Scope } from './scope';

const PREFIX = 'shell-';
const API = '/api/';
/** File names below it contain a hash of the content. */
const HASHED = '/assets/';
const FONT = '.woff2';

/**
 * The offline document and its files, cached together under the build's version, so that versions
 * never mix. Other pages and API responses are never cached.
 */
export function serveShell(scope: Scope, { version, shell, files }: Build): void {
  const name = `${PREFIX}${version}`;

  /** The browser may have cached an older version of a file without a hash. */
  const requestOf = (file: string) =>
    new Request(new URL(file, scope.location.origin), { cache: file.startsWith(HASHED) ? 'default' : 'reload' });

  const install = async () => {
    const cache = await scope.caches.open(name);
    await cache.addAll(files.map(requestOf));
    await scope.skipWaiting();
  };

  const activate = async () => {
    const old = (await scope.caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== name);
    await Promise.all(old.map((key) => scope.caches.delete(key)));
    await scope.registration.navigationPreload?.enable();
    await scope.clients.claim();
  };

  const kept = async (path: string): Promise<Response | undefined> => {
    const cache = await scope.caches.open(name);
    return cache.match(path, { ignoreVary: true });
  };

  const page = async ({ request, preloadResponse }: FetchEvent): Promise<Response> => {
    try {
      return (await preloadResponse) ?? (await scope.fetch(request));
    } catch {
      return (await kept(shell)) ?? Response.error();
    }
  };

  const file = async (request: Request, path: string): Promise<Response> => {
    const found = path.startsWith(HASHED) ? await kept(path) : undefined;
    if (found) return found;
    try {
      return await scope.fetch(request);
    } catch {
      return (await kept(path)) ?? Response.error();
    }
  };

  /**
   * Fonts are cached on use: the Bangla ones are as large as everything else, and half of the users
   * need none.
   */
  const font = async (request: Request, path: string): Promise<Response> => {
    const found = await kept(path);
    if (found) return found;
    const response = await scope.fetch(request);
    const cache = await scope.caches.open(name);
    if (response.ok) await cache.put(path, response.clone());
    return response;
  };

  scope.addEventListener('install', (event) => event.waitUntil(install()));
  scope.addEventListener('activate', (event) => event.waitUntil(activate()));
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== scope.location.origin || pathname.startsWith(API)) return;
    if (request.mode === 'navigate') event.respondWith(page(event));
    else if (files.includes(pathname)) event.respondWith(file(request, pathname));
    else if (pathname.startsWith(HASHED) && pathname.endsWith(FONT)) event.respondWith(font(request, pathname));
  });
}
