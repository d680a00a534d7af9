import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverNow } from '@/lib/server-clock';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aDeposit, histories } from '../fixtures';

const errors = () => notices.filter(({ kind }) => kind === 'error').map(({ text }) => text);
const refusal = () => HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 });

beforeEach(() => {
  signedInAs(nusrat);
  server.use(
    http.get('*/api/wallet', () =>
      HttpResponse.json({ wallet: 212.4, inEscrow: 665, inEscrowSales: 385, pendingWithdrawal: 40, minWithdrawal: 1 }),
    ),
  );
});

describe('the balance', () => {
  it('is shown with its taka at the rate rounded down, and what is held beside it', async () => {
    histories();
    renderAt('/balance');
    expect(await screen.findByText('≈ ৳25,912 at 1 USD = ৳122')).toBeVisible();
    expect(screen.getByText(/^You add money at ৳123 a dollar and withdraw at ৳122:/)).toBeVisible();
    const held = (name: string) => screen.getByText(name).nextElementSibling;
    expect(held('Held for your purchases')).toHaveTextContent('$665.00');
    expect(held('Held for your sales')).toHaveTextContent('$385.00');
  });

  it('lists what is being checked and what failed this week, with the way to each', async () => {
    const handledAt = new Date(serverNow() - 60_000).toISOString();
    const failed = { status: 'Failed', handledAt } as const;
    histories([
      aDeposit(),
      aDeposit({ ...failed, _id: 'dep-3', claimedAmount: 30, reasonCode: 'not_found' }),
      aDeposit({ ...failed, _id: 'dep-4', claimedAmount: 40, reasonCode: 'retracted' }),
      aDeposit({ ...failed, _id: 'dep-5', claimedAmount: 50, reasonCode: 'not_found', handledAt: '2020-01-01T00:00:00Z' }),
    ]);
    renderAt('/balance');
    const list = within(await screen.findByRole('region', { name: 'In progress' }));
    expect(await list.findByRole('link', { name: '$30.00 by bKash' })).toHaveAttribute('href', '/balance/deposits/dep-3');
    expect(list.getByText('We found no payment with this transaction ID.')).toBeVisible();
    expect(await list.findByRole('link', { name: '$100.00 by bKash' })).toHaveAttribute('href', '/balance/deposits/dep-1');
    expect(list.getAllByRole('listitem')).toHaveLength(2);
  });

  it('leads from the dashboard to a deposit that is being checked', async () => {
    histories([aDeposit()]);
    renderAt('/dashboard');
    const line = await screen.findByRole('link', { name: '$100.00 being checked' });
    expect(line).toHaveAttribute('href', '/balance/deposits/dep-1');
  });

  it('keeps its title while the next page loads', async () => {
    histories();
    server.use(http.get('*/api/decisions/dec-1', () => delay('infinite')));
    const { router } = renderAt('/withdraw');
    await waitFor(() => expect(document.title).toBe('Withdraw | Amanat'));
    act(() => void router.navigate({ to: '/decisions/$id', params: { id: 'dec-1' } }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.title).toBe('Withdraw | Amanat');
  });

  it('says what it could not load, and loads it again', async () => {
    histories();
    server.use(
      http.get('*/api/wallet', refusal),
      http.get('*/api/exchange-rate', refusal),
      http.get('*/api/auth/deposit/history', refusal),
      http.get('*/api/deposits/pending', refusal),
    );
    const { user } = renderAt('/balance');
    await waitFor(() =>
      expect(new Set(errors())).toEqual(
        new Set(['An error occurred while fetching the wallet balance.', 'Failed to fetch deposit or withdraw history']),
      ),
    );
    histories([aDeposit()]);
    const history = within(screen.getByRole('region', { name: 'In progress' }));
    await user.click(history.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: '$100.00 by bKash' })).toBeVisible();
    server.use(
      http.get('*/api/wallet', () =>
        HttpResponse.json({ wallet: 212.4, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 }),
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(errors()).toContain('Failed to fetch conversion rate'));
    expect(screen.getByRole('heading', { level: 1, name: 'Your balance' }).nextSibling).toHaveTextContent('$212.40');
  });
});
