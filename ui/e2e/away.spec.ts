import { cut, everythingKept, kept, ready, test } from './support/away';
import { expectAccessible, expectFits } from './support/checks';
import { offer } from './support/deals';
import { fund, logOut, signUp } from './support/people';
import { heading, says } from './support/screen';
import { expect } from './support/test';

test.describe('without a network', () => {
  test('one sees what one saw last, and comes back to the page as it is now', async ({ reader, seller, admin }) => {
    const buyer = await reader({ width: 360 });
    const { page, context } = buyer;
    await fund(admin, buyer, 400);
    await offer(buyer, seller, { price: 480, description: 'Ranna Ghor 24' });

    await test.step('What happens while there is one is on the page at once, and kept', async () => {
      await page.goto('/dashboard');
      await ready(page);
      await fund(admin, buyer, 100);
      await says(page, '$500.00');
      await expect.poll(() => kept(page)).toMatch(/50000.*Ranna Ghor 24/);
    });

    await test.step('What was seen last is there without one', async () => {
      await cut(context);
      await fund(admin, buyer, 20);
      await page.goto('/balance');
      await expect(heading(page, 'You are offline')).toBeVisible();
      await says(page, 'This is what you saw last. It may have changed since.');
      await says(page, '$500.00');
      await says(page, 'Ranna Ghor 24');
      await expect(page.getByText(/^As of /)).toHaveCount(2);
      await expect(page.getByRole('button', { name: 'Add money' })).toBeDisabled();
      await expect(page.getByRole('button', { name: 'Withdraw' })).toBeDisabled();
      await expectAccessible(page);
      await expectFits(page);
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(heading(page, 'You are offline')).toBeVisible();
    });

    await test.step('The page comes by itself when the network is back', async () => {
      await context.setOffline(false);
      await expect(heading(page, 'Your balance')).toBeVisible();
      await says(page, '$520.00');
      await expect.poll(() => kept(page)).toContain('52000');
    });

    await test.step('Neither pages nor answers of the API were kept', async () => {
      await context.setOffline(true);
      expect(await page.evaluate(() => fetch('/api/wallet').then(String, () => 'failed'))).toBe('failed');
      const everything = await everythingKept(page);
      expect(everything).toContain('"/offline.html"');
      expect(everything).not.toContain('"/api/');
      expect(everything).not.toContain('"/balance"');
    });
  });

  test('nothing is seen of somebody who has logged out, by the next user either', async ({ reader, seller, admin }) => {
    const first = await reader();
    const { page, context } = first;
    await fund(admin, first, 500);
    await offer(first, seller, { price: 480, description: 'Ranna Ghor 24' });
    await page.goto('/dashboard');
    await ready(page);
    await expect.poll(() => kept(page)).toMatch(/50000.*Ranna Ghor 24/);
    await logOut(first);
    expect(await everythingKept(page)).not.toMatch(new RegExp(`${first.id}|${first.name}|500|Ranna|${seller.name}`));
    await cut(context);
    await page.goto('/dashboard');
    await says(page, 'No balance and no deals are saved on this device.');
    await expect(page.getByText('$')).toHaveCount(0);

    await context.setOffline(false);
    await expect(heading(page, 'Login')).toBeVisible();
    await signUp(context.request, 'second');
    await page.goto('/dashboard');
    await expect.poll(() => kept(page)).toContain('"deals"');
    await context.setOffline(true);
    await page.goto('/balance');
    await says(page, '$0.00');
    await says(page, 'No open deals');
    await expect(page.getByText(/500\.00|Ranna/)).toHaveCount(0);

    await test.step('Nor once a session has ended while no page was open', async () => {
      await page.goto('about:blank');
      await context.setOffline(false);
      await context.clearCookies();
      await page.goto('/dashboard');
      await expect(heading(page, 'Login')).toBeVisible();
      await expect.poll(() => kept(page)).toBeNull();
    });
  });

  test('the page is in Bangla, too, and dark', { tag: '@soak' }, async ({ reader }) => {
    const { page, context } = await reader({ language: 'bn', theme: 'dark' });
    await page.goto('/dashboard');
    await ready(page);
    await expect.poll(() => kept(page)).toContain('"deals"');
    await cut(context);
    await page.goto('/deal');
    await expect(heading(page, 'আপনি অফলাইনে আছেন')).toBeVisible();
    await says(page, 'কোনো চলমান ডিল নেই');
    await expectAccessible(page);
  });
});

test('a new service worker takes over from an old one under an open page, which goes on', async ({ reader }) => {
  const { page } = await reader();
  await page.goto('/posts/create');
  await ready(page);
  await page.getByRole('textbox', { name: 'Title' }).fill('Half a sentence');
  // To the browser, another address is another version.
  await page.evaluate(async () => {
    await caches.open('shell-old');
    const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    await navigator.serviceWorker.register('/service-worker.js?next');
    await taken;
  });
  await expect.poll(() => page.evaluate(() => caches.has('shell-old'))).toBe(false);
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a sentence');
  await page.getByRole('link', { name: /^Balance / }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(heading(page, 'Your balance')).toBeVisible();
  expect(await everythingKept(page)).toContain('/offline.html');
});
