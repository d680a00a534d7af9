import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { FileRoutesByTo } from '@/routeTree.gen';

export type Route = keyof FileRoutesByTo;

/** The access of a page, by its route's layout in src/routes. */
const LAYOUTS = { _guest: 'visitors', _public: 'everybody', _app: 'users', _admin: 'admins' } as const;

export type Access = (typeof LAYOUTS)[keyof typeof LAYOUTS];

const isLayout = (name: string): name is keyof typeof LAYOUTS => name in LAYOUTS;

/** Every route by the layout in which the router's plugin found it. */
function readRoutes(): Map<Route, Access> {
  const tree = readFileSync(resolve(import.meta.dirname, '../../src/routeTree.gen.ts'), 'utf8');
  const [, body = ''] = /interface FileRoutesById \{([^}]*)\}/.exec(tree) ?? [];
  const found = new Map<Route, Access>();
  for (const [, layout = '', path] of body.matchAll(/^ {2}'\/([^/']+)(\/[^']*)?':/gm)) {
    if (!isLayout(layout))
      throw new Error(`src/routes/${layout} is in none of the layouts, so the tests do not know who may see it`);
    // A layout inside has no part in the path.
    const shown = path
      ?.replace(/\/_[a-z]+/g, '')
      .replace(/_(?=\/)/g, '')
      .replace(/(.)\/$/, '$1');
    if (shown) found.set(shown as Route, LAYOUTS[layout]);
  }
  if (found.size === 0) throw new Error('src/routeTree.gen.ts is not written as the tests expect');
  return found;
}

const ROUTES = readRoutes();

export const routesFor = (...who: Access[]): Route[] =>
  [...ROUTES].filter(([, access]) => who.includes(access)).map(([route]) => route);

/** Routes that redirect. */
export const LEADS_TO: Partial<Record<Route, string>> = {
  '/referral/$code': '/signup',
  '/deals': '/deal',
  '/admin': '/admin/dashboard',
  '/balance/statement': '/balance',
};

type Row = { _id: string; status: string };

const rowsOf = async (context: BrowserContext, path: string): Promise<Row[]> =>
  (await (await context.request.get(`/api${path}`)).json()) as Row[];

const ids = async (context: BrowserContext, path: string): Promise<string[]> =>
  (await rowsOf(context, path)).map(({ _id }) => _id);

/** One per status, since their pages differ by it. */
const oneOfEach = (rows: Row[]): string[] => [...new Map(rows.map(({ _id, status }) => [status, _id])).values()];

/** The user's deposits; without any, an unknown id. */
const deposits = async (context: BrowserContext): Promise<string[]> => {
  const answer = await context.request.get('/api/auth/deposit/history');
  const shown = oneOfEach(((await answer.json()) as { deposits: Row[] }).deposits);
  return shown.length > 0 ? shown : ['00000000-0000-7000-8000-000000000000'];
};

/** The codes of the user's pending invitations. */
const codes = async (context: BrowserContext): Promise<string[]> => {
  const answer = await context.request.get('/api/invites');
  return answer.ok() ? ((await answer.json()) as { code: string }[]).map(({ code }) => code) : [];
};

/** A route's addresses with the demo's people, posts and deals, as this session sees them. */
export async function addresses(route: Route, context: BrowserContext): Promise<string[]> {
  const fill = (values: string[]) => values.map((value) => route.replace(/\$\w+/, value));
  switch (route) {
    case '/posts/$postId':
      return fill((await ids(context, '/posts/user/seller')).slice(0, 1));
    case '/posts/edit/$postId':
      return fill((await ids(context, '/posts/my-posts')).slice(0, 1));
    case '/$':
      return ['/no/such/page'];
    case '/profile/$username':
      return fill(['seller']);
    case '/referral/$code':
      return fill(['FRIEND7']);
    case '/inbox/$conversationId':
      return fill((await ids(context, '/messages/conversations')).slice(0, 1));
    case '/balance/deposits/$depositId':
    case '/balance/deposits/$depositId/receipt':
      return fill(await deposits(context));
    case '/balance/checkouts/$checkoutId':
      // The demo has no payments on the page of bKash.
      return fill(['00000000-0000-7000-8000-000000000000']);
    case '/decisions/$id':
      // The demo has no decisions.
      return fill(['00000000-0000-7000-8000-000000000000']);
    case '/d/$code':
      return fill([...(await codes(context)), 'k7m2p9qa4x']);
    case '/check/$code':
    case '/held/$code':
      return fill(['k7m2p9qa4x']);
    case '/disputes/$id':
      // No demo user is a party of one.
      return fill(['00000000-0000-7000-8000-000000000000']);
    case '/admin/disputes/$id': {
      const answer = await context.request.get('/api/admin/disputes');
      return fill(((await answer.json()) as { disputes: Row[] }).disputes.slice(0, 1).map(({ _id }) => _id));
    }
    case '/deal/$dealId':
    case '/deal/$dealId/dispute':
    case '/deal/$dealId/receipt':
      return fill(oneOfEach(await rowsOf(context, '/deals/my-deals')));
    case '/support':
      return [route, ...(await ids(context, '/deals/my-deals')).slice(0, 1).map((id) => `/support?dealId=${id}`)];
    case '/reset-password':
    case '/verify-email':
    case '/confirm-withdrawal':
    case '/confirm-email':
    case '/undo-email':
    case '/not-me':
    case '/not-my-factor':
    case '/appeal':
    case '/unsubscribe':
      return [route, `${route}?token=of-a-mail`];
    default:
      return [route];
  }
}
