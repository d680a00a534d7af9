import type { Build, FetchEvent, Scope } from './scope';

const PREFIX = 'shell-';
const API = '/api/';
/** Names below it hold a hash of the content: what is kept under one is what the server has there. */
const HASHED = '/assets/';
const FONT = '.woff2';

/**
 * The document that stands in for every page while there is no network, and its files. They are kept together under the version of the build and go
 * together, so that no version is mixed with another. Pages themselves and answers of the API are never kept.
 */
export function serveShell(scope: Scope, { version, shell, files }: Build): void {
  const name = `${PREFIX}${version}`;

  /** A file without a hash may lie in the browser's cache in an older version. */
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

  /** Fonts are kept as pages ask for them: those of Bangla are as large as everything else, and half of the users have no use for them. */
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
