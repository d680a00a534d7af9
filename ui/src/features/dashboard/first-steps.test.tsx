import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { dealsAre } from '@/testing/deal-lists';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server, signedInAs } from '@/testing/server';

const wallet = (sum: number) =>
  server.use(
    http.get('*/api/wallet', () => HttpResponse.json({ wallet: sum, inEscrow: 0, pendingWithdrawal: 0, minWithdrawal: 1 })),
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
    await user.click(choices.getByRole('button', { name: /^I have a deal/ }));
    expect(await screen.findByRole('dialog', { name: 'Create Deal' })).toBeVisible();
  });

  it('lists what is to be done, and what is done', async () => {
    renderAt('/dashboard');
    expect(await lines()).toEqual(['Verify your email (to do)', 'Add money (to do)Deposit', 'Make your first deal (to do)']);
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
