import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { aQueuedDeposit, queues } from '../fixtures';

function widthOf(pixels: number) {
  act(() => {
    window.innerWidth = pixels;
    window.dispatchEvent(new Event('resize'));
  });
}

function swipe(right: number, down = 0, target: Element = document.body) {
  const at = (x: number, y: number) => ({ clientX: x, clientY: y, identifier: 1, target }) as unknown as Touch;
  const event = (type: string, touches: Touch[], changedTouches: Touch[]) =>
    target.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { touches, changedTouches }));
  act(() => {
    event('touchstart', [at(10, 200)], [at(10, 200)]);
    event('touchend', [], [at(10 + right, 200 + down)]);
  });
}

const sheet = () => screen.queryByRole('dialog', { name: 'Admin' });

async function openQueue() {
  const page = renderAt('/admin/deposit');
  await screen.findByRole('heading', { level: 1, name: 'Deposits' });
  return page;
}

beforeEach(() => {
  widthOf(360);
  queues([aQueuedDeposit()]);
});

describe('the sidebar on a narrow window', () => {
  it('opens by its button and leads to the other queue', async () => {
    const { user, router } = await openQueue();
    await user.click(screen.getByRole('button', { name: 'Open menu' }));
    await user.click(within(await screen.findByRole('dialog', { name: 'Admin' })).getByRole('link', { name: /^Withdrawals/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/withdrawal'));
    expect(sheet()).toBeNull();
  });

  it('opens and closes with Ctrl+B and ⌘+B', async () => {
    const { user } = await openQueue();
    await user.keyboard('{Control>}b{/Control}');
    expect(sheet()).not.toBeNull();
    await user.keyboard('{Meta>}b{/Meta}');
    expect(sheet()).toBeNull();
  });

  it.each([
    [61, 0, true],
    [60, 0, false],
    [-90, 0, false],
    [80, 120, false],
  ])('a swipe of %i px to the right and %i px down opens it: %s', async (right, down, opens) => {
    await openQueue();
    swipe(right, down);
    expect(sheet() !== null).toBe(opens);
  });

  it('is not opened by a swipe over its tabs, a field or another dialog', async () => {
    const { user } = await openQueue();
    swipe(90, 0, screen.getByRole('link', { name: 'All' }));
    swipe(90, 0, screen.getByRole('searchbox'));
    expect(sheet()).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Open menu' }));
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Admin' })).getByRole('button', { name: /^Exchange rate/ }),
    );
    swipe(90, 0, within(await screen.findByRole('dialog', { name: 'Exchange rate' })).getByRole('heading'));
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    expect(sheet()).toBeNull();
  });

  it('is no sheet from 1200 px on', async () => {
    await openQueue();
    widthOf(1200);
    swipe(90);
    expect(sheet()).toBeNull();
    expect(screen.getByRole('navigation', { name: 'Admin menu' })).toBeVisible();
  });
});

describe('the exchange rate', () => {
  it('is set with both rounded rates in view', async () => {
    const rates: unknown[] = [];
    server.use(
      http.put('*/api/admin/exchange-rate', async ({ request }) => {
        rates.push(await request.json());
        return HttpResponse.json({ usdToBdt: 123.6 });
      }),
    );
    widthOf(1280);
    const { user } = await openQueue();
    await user.click(screen.getByRole('button', { name: /^Exchange rate/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Exchange rate' }));
    await user.click(dialog.getByRole('button', { name: 'Set rate' }));
    expect(notices.map(({ text }) => text)).toEqual(['Enter a valid rate']);
    await user.type(dialog.getByLabelText('Taka for one US dollar'), '১২৩.৬০');
    expect(dialog.getByText('৳124, rounded up')).toBeVisible();
    expect(dialog.getByText('৳123, rounded down')).toBeVisible();
    expect(dialog.getByText('1% above the current rate')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Set ৳123.60' }));
    await waitFor(() => expect(notices.map(({ text }) => text)).toContain('The rate is ৳123.60 now.'));
    expect(rates).toEqual([{ usdToBdt: 123.6 }]);
    expect(screen.getByRole('button', { name: /^Exchange rate/ })).toHaveTextContent('৳123.60');
  });

  it('is asked about twice when it is far from the present one', async () => {
    const rates: unknown[] = [];
    server.use(
      http.put('*/api/admin/exchange-rate', async ({ request }) => {
        rates.push(await request.json());
        return HttpResponse.json({ usdToBdt: 12.24 });
      }),
    );
    widthOf(1280);
    const { user } = await openQueue();
    await user.click(screen.getByRole('button', { name: /^Exchange rate/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Exchange rate' }));
    await user.type(dialog.getByLabelText('Taka for one US dollar'), '12.24');
    await user.click(dialog.getByRole('button', { name: 'Set ৳12.24' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Change the rate from ৳122.40 to ৳12.24?' }));
    expect(rates).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Set ৳12.24' }));
    await waitFor(() => expect(notices.map(({ text }) => text)).toContain('The rate is ৳12.24 now.'));
    expect(rates).toEqual([{ usdToBdt: 12.24, confirm: true }]);
  });
});

describe('an admin without the second factor that is required', () => {
  const missing = () =>
    HttpResponse.json(
      { code: 'second_factor_missing', reason: 'second_factor_missing', message: 'Set up two-step login first.' },
      { status: 403 },
    );

  it.each(['/admin/dashboard', '/admin/deposit', '/admin/users'])('sees one screen that says why: %s', async (path) => {
    server.use(http.get('*/api/admin/*', missing));
    renderAt(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Set up two-step login first' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open security settings' })).toHaveAttribute('href', '/security');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(notices).toEqual([]);
  });
});
