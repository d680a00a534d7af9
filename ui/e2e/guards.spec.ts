import type { BrowserContext, Page } from '@playwright/test';
import { DEMO_PASSWORD } from './support/people';
import { routesFor } from './support/routes';
import { heading } from './support/screen';
import { expect, test } from './support/test';

const pathOf = (page: Page) => {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
};

/** Logs in from this address, and returns the final path and the number of hosts requested. */
async function after(context: BrowserContext, address: string) {
  await context.clearCookies();
  const page = await context.newPage();
  const hosts = new Set<string>();
  page.on('framenavigated', (frame) => hosts.add(new URL(frame.url()).host));
  await page.goto(address);
  await expect(heading(page, 'Login')).toBeVisible();
  await page.getByLabel('Username').fill('buyer');
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
  await page.waitForFunction(() => location.pathname !== '/login');
  const end = { path: pathOf(page), hosts: hosts.size };
  await page.close();
  return end;
}

const redirected = (to: string) => `/login?redirect=${encodeURIComponent(to)}`;

test('a deep link goes on after the log-in, but to no page of admins and to no other host', async ({ context }) => {
  const balance = '/balance?kind=withdrawals#main';
  expect(await after(context, balance)).toEqual({ path: balance, hosts: 1 });
  expect(await after(context, '/admin/users')).toEqual({ path: '/dashboard', hosts: 1 });
  // Plain, and disguised so that a browser takes it for another host.
  expect(await after(context, '/login?redirect=//evil.example')).toEqual({ path: '/dashboard', hosts: 1 });
  expect(await after(context, redirected('/\t/evil.example'))).toEqual({ path: '/dashboard', hosts: 1 });
});

/** An address of the route, with any ids. */
const addressOf = (route: string) => route.replace(/\$\w+/, '0198c0de-0000-7000-8000-000000000000');

/** The final addresses of the routes. */
async function ends(page: Page, routes: readonly string[], title: string): Promise<string[]> {
  const led: string[] = [];
  for (const route of routes) {
    await page.goto(addressOf(route));
    await expect(heading(page, title)).toBeVisible();
    led.push(pathOf(page));
  }
  return led;
}

test.describe('the guards of every page', { tag: '@soak' }, () => {
  test('send a visitor to the log-in, which knows where to go then', async ({ page }) => {
    const routes = routesFor('users', 'admins');
    const expected = routes.map((route) => `/login?redirect=${encodeURIComponent(addressOf(route))}`);
    expect(await ends(page, routes, 'Login')).toEqual(expected);
  });

  test('send a user from those of admins, by way of the log-in, to the dashboard', async ({ signedIn }) => {
    const { page } = await signedIn('buyer');
    const routes = routesFor('admins');
    expect(await ends(page, routes, 'buyer')).toEqual(routes.map(() => '/dashboard'));
  });
});
