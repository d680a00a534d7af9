import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { FileRoutesByTo } from '@/routeTree.gen';

export type Route = keyof FileRoutesByTo;

/** Who may see a page: visitors alone, everybody, signed-in users, admins. */
export type Access = 'visitors' | 'everybody' | 'users' | 'admins';

/** Every route of the product. A new one belongs here, or the tests of all routes fail. */
export const ACCESS: Record<Route, Access> = {
  '/': 'visitors',
  '/login': 'visitors',
  '/signup': 'visitors',
  '/referral/$code': 'visitors',
  '/aboutus': 'everybody',
  '/confirm-withdrawal': 'everybody',
  '/contactus': 'everybody',
  '/explore': 'everybody',
  '/forgot-password': 'everybody',
  '/not-me': 'everybody',
  '/ourleaders': 'everybody',
  '/papers': 'everybody',
  '/posts/$postId': 'everybody',
  '/privacy': 'everybody',
  '/profile/$username': 'everybody',
  '/reportabug': 'everybody',
  '/reset-password': 'everybody',
  '/terms': 'everybody',
  '/unsubscribe': 'everybody',
  '/verify-email': 'everybody',
  '/$': 'everybody',
  '/MyPosts': 'users',
  '/balance': 'users',
  '/dashboard': 'users',
  '/deal': 'users',
  '/deal/$dealId': 'users',
  '/deals': 'users',
  '/deposit': 'users',
  '/inbox': 'users',
  '/inbox/$conversationId': 'users',
  '/posts/create': 'users',
  '/posts/edit/$postId': 'users',
  '/profile': 'users',
  '/refer': 'users',
  '/support': 'users',
  '/withdraw': 'users',
  '/admin': 'admins',
  '/admin/audit': 'admins',
  '/admin/bug-reports': 'admins',
  '/admin/chat': 'admins',
  '/admin/contact-messages': 'admins',
  '/admin/dashboard': 'admins',
  '/admin/deals': 'admins',
  '/admin/deposit': 'admins',
  '/admin/notifications': 'admins',
  '/admin/support-requests': 'admins',
  '/admin/users': 'admins',
  '/admin/withdrawal': 'admins',
};

export const routesFor = (...who: Access[]): Route[] =>
  (Object.keys(ACCESS) as Route[]).filter((route) => who.includes(ACCESS[route]));

/** Routes that only lead to another. */
export const LEADS_TO: Partial<Record<Route, string>> = {
  '/referral/$code': '/signup',
  '/deals': '/deal',
  '/admin': '/admin/dashboard',
};

/** The routes as the router's plugin found them in src/routes. */
export function builtRoutes(): string[] {
  const tree = readFileSync(resolve(import.meta.dirname, '../../src/routeTree.gen.ts'), 'utf8');
  const [, body = ''] = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree) ?? [];
  return [...body.matchAll(/^ {2}'([^']+)':/gm)].map(([, path = '']) => path);
}

const ids = async (context: BrowserContext, path: string): Promise<string[]> => {
  const rows = (await (await context.request.get(`/api${path}`)).json()) as { _id: string }[];
  return rows.map(({ _id }) => _id);
};

/** The addresses of a route with the demo's people, posts and deals in it, as somebody with this session sees them. */
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
    case '/deal/$dealId':
      return fill(await ids(context, '/deals/my-deals'));
    case '/support':
      return [route, ...(await ids(context, '/deals/my-deals')).slice(0, 1).map((id) => `/support?dealId=${id}`)];
    case '/reset-password':
    case '/verify-email':
    case '/confirm-withdrawal':
    case '/not-me':
    case '/unsubscribe':
      return [route, `${route}?token=of-a-mail`];
    default:
      return [route];
  }
}
