// What the build knows of the names that the router's plugin gives to chunks;
// prerender-chunks.test.js checks it with the installed version.

/**
 * What vite.config.ts has the router's plugin split from each route. A page's loader and skeleton
 * travel with the page.
 */
export const ROUTE_PARTS = [['loader', 'component', 'pendingComponent'], ['errorComponent'], ['notFoundComponent']];

const SPLIT = '.tsx?tsr-split=';

/**
 * The page that a key of Vite's manifest stands for, as a route file without its ending
 * (`_app/inbox.index`); null for all other keys.
 */
export function routeOfKey(key) {
  const [file, parts] = key.split(SPLIT);
  return parts?.split('---').includes('pendingComponent') && file.startsWith('src/routes/')
    ? file.slice('src/routes/'.length)
    : null;
}

/**
 * The path of a route file, with its parameters: `admin/disputes/$id` of
 * `_admin/admin.disputes_.$id`. Layouts without a path begin with `_`; a name that ends with `_` is
 * outside its parent's.
 */
export const pathOfRoute = (route) =>
  route
    .split(/[/.]/)
    .filter((part) => !part.startsWith('_') && part !== 'index')
    .map((part) => part.replace(/_$/, ''))
    .join('/');

/**
 * The key of Vite's manifest under which a route file (`_app/inbox.index`) has its page; undefined
 * where the route only redirects.
 */
export function keyOfRoute(manifest, route) {
  return Object.keys(manifest).find((key) => routeOfKey(key) === route);
}
