import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aDeposit, aWithdrawal, histories } from '../fixtures';

const errors = () => notices.filter(({ kind }) => kind === 'error').map(({ text }) => text);
const refusal = () => HttpResponse.json({ message: '', code: 'conflict' }, { status: 409 });

beforeEach(() => {
  signedInAs(nusrat);
  server.use(
    http.get('*/api/wallet', () => HttpResponse.json({ wallet: 212.4, inEscrow: 665, pendingWithdrawal: 40, minWithdrawal: 1 })),
  );
});

async function table() {
  return within(await screen.findByRole('table'));
}

describe('the balance', () => {
  it('is shown with its taka at the rate rounded down, and what is held beside it', async () => {
    histories();
    renderAt('/balance');
    expect(await screen.findByText('≈ ৳25,912 at 1 USD = ৳122')).toBeVisible();
    const tile = (name: string) => screen.getByText(name).nextElementSibling;
    expect(tile('Held by Amanat for your deals')).toHaveTextContent('$665.00');
    expect(tile('Pending withdrawals')).toHaveTextContent('$40.00');
    expect(tile('Rate for adding money')).toHaveTextContent('৳123');
    expect(tile('Rate for withdrawals')).toHaveTextContent('৳122');
  });

  it('lists deposits: struck out when failed, with the reason, and what was credited instead', async () => {
    histories([
      aDeposit({ _id: '1', status: 'Failed', reason: 'Not received.', amount: 20, claimedAmount: 20 }),
      aDeposit({ _id: '2', status: 'completed', reason: 'Nagad shows less.', amount: 77, claimedAmount: 80 }),
    ]);
    renderAt('/balance');
    const rows = await table();
    const failed = rows.getByRole('row', { name: /failed/ });
    expect(failed).toHaveTextContent('Reason: Not received.');
    expect(within(failed).getByText('+ 20.00').tagName).toBe('S');
    const changed = rows.getByRole('row', { name: /completed/ });
    expect(changed).toHaveTextContent('$77.00 credited instead of $80.00.Reason: Nagad shows less.');
    expect(within(changed).queryByText('+ 77.00', { selector: 's' })).toBeNull();
  });

  it('says what is being checked, and lists it with the way to each', async () => {
    histories([
      aDeposit(),
      aDeposit({ _id: 'dep-2', claimedAmount: 25.5, amount: 25.5, transactionId: '75LPX4NB', paymentMethod: 'Nagad' }),
      aDeposit({ _id: 'dep-3', status: 'Failed', reasonCode: 'not_found' }),
    ]);
    renderAt('/balance');
    const line = await screen.findByRole('link', { name: '$125.50 being checked' });
    expect(line).toHaveAttribute('href', '/balance#checking');
    const list = within(screen.getByRole('region', { name: 'Deposits being checked' }));
    expect(list.getByRole('link', { name: '$100.00 by bKash' })).toHaveAttribute('href', '/balance/deposits/dep-1');
    expect(list.getByRole('link', { name: '$25.50 by Nagad' })).toHaveAttribute('href', '/balance/deposits/dep-2');
    const failed = (await table()).getByRole('row', { name: /failed/ });
    expect(failed).toHaveTextContent('We found no payment with this ID.');
    expect(within(failed).getByRole('link')).toHaveAttribute('href', '/balance/deposits/dep-3');
  });

  it('says that a report was withdrawn', async () => {
    histories([aDeposit({ status: 'Failed', reasonCode: 'retracted' })]);
    renderAt('/balance');
    expect((await table()).getByRole('row', { name: /failed/ })).toHaveTextContent('Withdrawn by you');
  });

  it.each(['/balance', '/dashboard'])('leads from one deposit that is being checked to its page: %s', async (path) => {
    histories([aDeposit()]);
    renderAt(path);
    const line = await screen.findByRole('link', { name: '$100.00 being checked' });
    expect(line).toHaveAttribute('href', '/balance/deposits/dep-1');
  });

  it('lists withdrawals with the id of the payout', async () => {
    histories([], [aWithdrawal({ status: 'completed', transactionId: '75LPX4NB' })]);
    const { user } = renderAt('/balance');
    await user.click(await screen.findByRole('link', { name: 'Withdrawals' }));
    const row = (await table()).getAllByRole('row')[1];
    expect(row).toHaveTextContent('01712-448840');
    expect(row).toHaveTextContent('Payout TrxID 75LPX4NB');
    expect(row).toHaveTextContent('− 40.00');
  });

  it('keeps the page in the address, and leaves one that is not there', async () => {
    histories();
    const asked: string[] = [];
    server.use(
      http.get('*/api/auth/deposit/history', ({ request }) => {
        const search = new URL(request.url).searchParams;
        asked.push(`${search.get('page') ?? ''}/${search.get('limit') ?? ''}`);
        return HttpResponse.json({ success: true, page: 1, pages: 2, total: 12, deposits: [aDeposit()] });
      }),
    );
    const { user, router } = renderAt('/balance?page=9');
    await waitFor(() => expect(router.state.location.search).toEqual({ page: 2 }));
    await user.click(await screen.findByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    expect(await screen.findByText('Page 1 of 2')).toBeVisible();
    expect(asked).toEqual(expect.arrayContaining(['9/10', '2/10', '1/10']));
  });

  it('says what it could not load, and loads it again', async () => {
    histories();
    server.use(
      http.get('*/api/wallet', refusal),
      http.get('*/api/exchange-rate', refusal),
      http.get('*/api/auth/deposit/history', refusal),
    );
    const { user } = renderAt('/balance');
    await waitFor(() =>
      expect(new Set(errors())).toEqual(
        new Set(['An error occurred while fetching the wallet balance.', 'Failed to fetch deposit or withdraw history']),
      ),
    );
    histories([aDeposit()]);
    const history = within(screen.getByRole('region', { name: 'History' }));
    await user.click(history.getByRole('button', { name: 'Retry' }));
    await table();
    server.use(
      http.get('*/api/wallet', () => HttpResponse.json({ wallet: 212.4, inEscrow: 0, pendingWithdrawal: 0, minWithdrawal: 1 })),
    );
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(errors()).toContain('Failed to fetch conversion rate'));
    expect(screen.getByRole('heading', { level: 1, name: 'Your balance' }).nextSibling).toHaveTextContent('$212.40');
  });
});
