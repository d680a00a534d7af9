import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WalletLimits } from '@/api/contract';
import { limitsQuery } from '@/entities/wallet/limits';
import { answered } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { noLimits, nusrat, server, signedInAs } from '@/testing/server';
import { histories } from '../fixtures';

const basic: WalletLimits = {
  ...{ level: 'basic', perDeal: 1_000 },
  ...{ paid: { limit: 3_000, used: 750 }, withdrawn: { limit: 1_000, used: 1_000 } },
  next: {
    ...{ level: 'established', perDeal: 10_000, paid: 30_000, withdrawn: 10_000 },
    needs: [
      { kind: 'account_age', have: 12, need: 30 },
      { kind: 'completed_deals', have: 1, need: 3 },
      { kind: 'partners', have: 1, need: 2 },
    ],
  },
};

function limited(limits: WalletLimits) {
  server.use(http.get('*/api/wallet/limits', () => HttpResponse.json(limits)));
}

const card = async () => within(await screen.findByRole('region', { name: 'Your limits' }));

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
  signedInAs(nusrat);
  histories();
});

describe('the limits of an account', () => {
  it('are shown with what is used of them, and what raises them', async () => {
    limited(basic);
    renderAt('/balance#limits');
    const limits = await card();
    const figures = [...document.querySelectorAll('#limits dd')].map(({ textContent }) => textContent);
    expect(figures).toEqual([
      'Up to $1,000.00',
      '$2,250.00 left$750.00 of $3,000.00 used',
      '$0.00 left$1,000.00 of $1,000.00 used',
    ]);
    const needs = limits.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(needs).toEqual([
      'Wait 18 more days. ',
      'Complete 2 more deals. See your deals',
      'Complete a deal with 1 more person. Explore Marketplace',
    ]);
    expect(limits.getByRole('heading', { name: 'For up to $10,000 per deal:' })).toBeVisible();
    expect(limits.getByRole('link', { name: 'See your deals' })).toHaveAttribute('href', '/deal');
  });

  it('that end with the next level say so', async () => {
    limited({
      ...basic,
      next: {
        ...{ level: 'trusted', perDeal: null, paid: null, withdrawn: null },
        needs: [{ kind: 'second_factor', have: 0, need: 1 }],
      },
    });
    renderAt('/balance#limits');
    const limits = await card();
    expect(limits.getByRole('heading', { name: 'For no limit per deal:' })).toBeVisible();
    expect(limits.getByRole('link', { name: 'Security settings' })).toHaveAttribute('href', '/security');
  });

  it('are not mentioned where there are none', async () => {
    limited(noLimits);
    renderAt('/balance');
    await screen.findByRole('region', { name: 'Transactions' });
    await answered(limitsQuery.queryKey);
    expect(screen.queryByText('Your limits')).toBeNull();
  });

  it('that refuse a withdrawal say where to read more', async () => {
    limited(basic);
    server.use(
      http.post('*/api/withdraw', () =>
        HttpResponse.json(
          {
            ...{ code: 'conflict', reason: 'limit_withdrawn', params: { left: 0 } },
            message: 'You can withdraw up to $0.00 more today.',
          },
          { status: 409 },
        ),
      ),
    );
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    const { user, router } = renderAt('/withdraw?method=Nagad');
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw to Nagad' }));
    await user.type(await dialog.findByLabelText('Amount to withdraw'), '40');
    await user.type(dialog.getByLabelText(/^Phone number/), '01712448840');
    await user.click(dialog.getByRole('button', { name: /^Withdraw/ }));
    await user.click(await screen.findByRole('button', { name: 'Send it' }));
    expect(await dialog.findByText('You can withdraw up to $0.00 more today.')).toBeVisible();
    await user.click(dialog.getByRole('link', { name: 'See your limits and how to raise them' }));
    await card();
    expect(router.state.location.href).toBe('/balance#limits');
    await waitFor(() => expect(scrolled).toHaveBeenCalled());
  });
});
