import type { BrowserContext, Page } from '@playwright/test';
import { provoke, REFUSED } from './support/faults';
import { DEMO_PASSWORD } from './support/people';
import { routesFor } from './support/routes';
import { heading } from './support/screen';
import { expect, test } from './support/test';

/** An address of the route; what the ids are of does not matter to who may not come in. */
const addressOf = (route: string) => route.replace(/\$\w+/, '0198c0de-0000-7000-8000-000000000000');

const pathOf = (page: Page) => {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
};

async function logIn(page: Page, username: string) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
}

/** Where each of the routes leads in the end. */
async function ends(page: Page, routes: readonly string[], title: string): Promise<string[]> {
  const led: string[] = [];
  for (const route of routes) {
    await page.goto(addressOf(route));
    await expect(heading(page, title)).toBeVisible();
    led.push(pathOf(page));
  }
  return led;
}

test.describe('the guards', () => {
  test('send a visitor from every page behind the sign-in to the log-in, which knows where to go then', async ({ page }) => {
    const routes = routesFor('users', 'admins');
    const expected = routes.map((route) => `/login?redirect=${encodeURIComponent(addressOf(route))}`);
    expect(await ends(page, routes, 'Login')).toEqual(expected);
  });

  test('send a user from every page of admins, by way of the log-in, to the dashboard', async ({ signedIn }) => {
    const { page } = await signedIn('buyer');
    const routes = routesFor('admins');
    expect(await ends(page, routes, 'buyer')).toEqual(routes.map(() => '/dashboard'));
  });

  test('send a user from every page of visitors to the dashboard', async ({ signedIn }) => {
    const { page } = await signedIn('buyer');
    const routes = routesFor('visitors');
    expect(await ends(page, routes, 'buyer')).toEqual(routes.map(() => '/dashboard'));
    // A friend's link is for who has no account yet.
    expect(await page.evaluate(() => localStorage.getItem('referredBy'))).toBeNull();
  });
});

/** Comes to the log-in by this address, logs in, and says where that ends: the place, and every host that was asked for a page. */
async function after(context: BrowserContext, address: string, username = 'buyer') {
  await context.clearCookies();
  const page = await context.newPage();
  const hosts = new Set<string>();
  page.on('framenavigated', (frame) => hosts.add(new URL(frame.url()).host));
  await page.goto(address);
  await expect(heading(page, 'Login')).toBeVisible();
  await logIn(page, username);
  await page.waitForFunction(() => location.pathname !== '/login');
  const end = { path: pathOf(page), hosts: hosts.size };
  await page.close();
  return end;
}

const redirected = (to: string) => `/login?redirect=${encodeURIComponent(to)}`;

test.describe('after the log-in', () => {
  for (const link of [
    '/balance?tab=withdrawals#main',
    '/dashboard?days=7',
    '/deal?tab=completed',
    '/support?dealId=0198c0de-0000-7000-8000-000000000000',
  ]) {
    test(`a deep link goes on: ${link}`, async ({ page, context }) => {
      provoke(context, REFUSED); // there is no such deal
      await page.goto(link);
      await expect(heading(page, 'Login')).toBeVisible();
      await logIn(page, 'buyer');
      await page.waitForURL(`**${link}`);
    });
  }

  test('an admin reaches the page of admins that he wanted, and nobody else does', async ({ context }) => {
    expect((await after(context, '/admin/users', 'admin')).path).toBe('/admin/users');
    expect((await after(context, '/admin/users', 'buyer')).path).toBe('/dashboard');
  });

  test('nobody is led to another host, in whatever disguise', async ({ context }) => {
    const disguises = [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https://evil.example/dashboard',
      'javascript:alert(1)',
      '/%2f%2fevil.example',
      '%2f%2fevil.example',
      '/%5cevil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/.//evil.example',
      '/deal/../..//evil.example',
      '"//evil.example"',
    ];
    for (const disguise of disguises)
      expect(await after(context, redirected(disguise)), disguise).toEqual({ path: '/dashboard', hosts: 1 });
    // As somebody would write it by hand.
    expect(await after(context, '/login?redirect=//evil.example')).toEqual({ path: '/dashboard', hosts: 1 });
    expect(await after(context, '/login?redirect=%2F%5Cevil.example')).toEqual({ path: '/dashboard', hosts: 1 });
  });
});
