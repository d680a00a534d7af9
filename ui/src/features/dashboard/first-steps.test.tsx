import { act, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { dealsAre } from '@/testing/deal-lists';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';

const wallet = (sum: number) =>
  server.use(
    http.get('*/api/wallet', () =>
      HttpResponse.json({ wallet: sum, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 }),
    ),
  );
const lines = async () =>
  within(await screen.findByRole('region', { name: 'First steps' }))
    .getAllByRole('listitem')
    .map((line) => line.textContent);

beforeEach(() => {
  signedInAs({ ...nusrat, isVerified: false });
  wallet(0);
});

describe('the first dashboard', () => {
  it('asks what the user would like to do', async () => {
    const { user } = renderAt('/dashboard');
    const choices = within(await screen.findByRole('region', { name: 'What would you like to do?' }));
    expect(choices.getByRole('link', { name: /^Buy something/ })).toHaveAttribute('href', '/explore');
    expect(choices.getByRole('link', { name: /^Sell something/ })).toHaveAttribute('href', '/posts/create');
    expect(screen.queryByRole('region', { name: 'Your deals' })).toBeNull();
    await user.click(choices.getByRole('button', { name: /^Send a link/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make a deal' }));
    expect(dialog.getByRole('button', { name: 'Get the link' })).toBeVisible();
  });

  it('lists what is to be done, and what is done', async () => {
    renderAt('/dashboard');
    expect(await lines()).toEqual(['Verify your email (to do)', 'Add money (to do)', 'Make your first deal (to do)']);
  });

  it('asks for no money while the money of a deal is being checked', async () => {
    const deposit = {
      ...{ _id: 'dep-1', dealId: 'd-1', paysDeal: false, amount: 480, claimedAmount: 480, convertedAmount: 59_040, rate: 123 },
      ...{ user: { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false, email: nusrat.email } },
      ...{ transactionId: 'CKJ8T2WV5C', paymentMethod: 'Bkash', actionType: 'deposit', status: 'pending', reason: null },
      ...{ reasonCode: null, createdAt: '2026-11-19T04:54:00Z', handledAt: null, disputed: false, expired: false },
    };
    const wait = { usualMinutes: 5, from: '09:00', to: '23:00', open: true, nextOpenAt: null };
    const pending = [deposit];
    server.use(http.get('*/api/deposits/pending', () => HttpResponse.json({ deposits: pending, wait })));
    dealsAre(aDeal({ _id: 'd-1', status: 'Pending' }));
    renderAt('/dashboard');
    expect(await screen.findByRole('link', { name: '$480.00 being checked' })).toBeVisible();
    expect(await lines()).toContain('Add money (to do)Being checked');
    expect(screen.queryByText(/^Pay \$480\.00/)).toBeNull();
    pending.length = 0;
    await act(() => queryClient.invalidateQueries());
    expect(await lines()).toContain('Add money (to do)');
    expect(screen.getByText(/^Pay \$480\.00/)).toBeVisible();
  });

  it('asks no more once there is a deal, and keeps the list until all of it is done', async () => {
    wallet(5);
    dealsAre(aDeal());
    renderAt('/dashboard');
    expect(await lines()).toEqual(['Verify your email (to do)', 'Add money (done)', 'Make your first deal (done)']);
    expect(screen.queryByRole('region', { name: 'What would you like to do?' })).toBeNull();
  });

  it.each([
    ['all is done', true, 5, 'Pending'],
    ['a deal has come to its end', false, 0, 'Completed'],
  ] as const)('has no list when %s', async (_why, isVerified, sum, status) => {
    signedInAs({ ...nusrat, isVerified });
    wallet(sum);
    dealsAre(aDeal({ status }));
    renderAt('/dashboard');
    expect(await screen.findByRole('region', { name: 'Your deals' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  });
});
