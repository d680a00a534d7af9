import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { AdminDrift, AdminPayment, AdminReceiver } from '@/api/contract';
import { keys } from '@/entities/keys';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { karim, onPost, queues, refusal } from '../fixtures';

function anAccount(over: Partial<AdminReceiver> = {}): AdminReceiver {
  return {
    ...{ _id: 'r-1', phone: 'shop', sim: 0, paymentMethod: 'Bkash', balance: 60_500 },
    ...{ works: true, heardAt: '2026-11-30T08:05:00Z', brokenAt: null, ...over },
  };
}

function aPayment(over: Partial<AdminPayment> = {}): AdminPayment {
  return {
    ...{ _id: 'p-1', receiver: anAccount(), state: 'unclaimed', forwardedAt: '2026-11-30T08:06:00Z', text: null },
    ...{ outgoing: false, amount: 6150, party: '01912345678', at: '2026-11-30T08:05:00Z' },
    ...{ user: null, ...over },
  };
}

/** Signs in as an admin, with these accounts and payments, which tests may change in place. */
function phones(accounts: AdminReceiver[] = [], payments: AdminPayment[] = [], drift: AdminDrift[] = []) {
  queues();
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/api/admin/receivers', () => HttpResponse.json(accounts)),
    http.get('*/api/admin/drift', () => HttpResponse.json(drift)),
    http.get('*/api/admin/payments', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('show'));
      return HttpResponse.json({ page: 1, pages: 1, total: payments.length, payments });
    }),
  );
  return { accounts, asked };
}

const said = () => notices.map(({ kind, text }) => [kind, text]);

describe('the accounts', () => {
  it('say whether they work, or since when they do not', async () => {
    const silent = { works: false, heardAt: '2026-11-30T07:00:00Z' };
    phones([
      anAccount(),
      anAccount({ _id: 'r-2', sim: 2, balance: null, ...silent, brokenAt: '2026-11-30T08:00:00Z' }),
      anAccount({ _id: 'r-3', paymentMethod: 'Nagad', ...silent }),
    ]);
    renderAt('/admin/payments');
    const list = within(await screen.findByRole('region', { name: 'Accounts' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'bKash, shop Works৳60,500Enter balance',
      'bKash, shop, SIM 2 SMS do not add upsince 30 Nov, 14:00–Enter balance',
      'Nagad, shop Phone silentsince 30 Nov, 13:00৳60,500Enter balance',
    ]);
  });

  it('are given the balance that the app shows, after the password', async () => {
    const { accounts } = phones([anAccount({ works: false, brokenAt: '2026-11-30T08:00:00Z' })]);
    const required = refusal(403, 'password_required', 'Please enter your password again.');
    const calls = onPost('/admin/receivers/r-1/balance', required, () =>
      HttpResponse.json({ message: 'The balance is set.', outcome: 'receiver_anchored' }),
    );
    onPost('/auth/confirm-password', () => HttpResponse.json({ message: '' }));
    const { user } = renderAt('/admin/payments');
    await user.click(await screen.findByRole('button', { name: 'Enter balance' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'bKash, shop' }));
    const field = dialog.getByLabelText('What the app shows now');
    await user.click(dialog.getByRole('button', { name: 'Enter balance' }));
    expect(field).toHaveAccessibleDescription('Enter a valid amount');
    await user.type(field, '৬০,৯৫০.৫০');
    await user.click(dialog.getByRole('button', { name: 'Enter balance' }));
    await user.type(await screen.findByLabelText('Password'), 'right{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'The balance is set.']]));
    expect(calls.map(({ body }) => body)).toEqual([{ balance: 60_950.5 }, { balance: 60_950.5 }]);
    expect(screen.queryByRole('dialog')).toBeNull();
    accounts[0] = anAccount({ balance: 60_950.5 });
    // As the socket does when a worker has set it.
    await act(() => queryClient.invalidateQueries({ queryKey: keys.adminPayments }));
    expect(await screen.findByText('৳60,950.50')).toBeVisible();
    expect(screen.getByText('Works')).toBeVisible();
  });

  it('keep what was typed when the server refuses it', async () => {
    phones([anAccount()]);
    const message = 'Enter a valid amount.';
    onPost('/admin/receivers/r-1/balance', refusal(400, 'invalid', message, { balance: message }));
    const { user } = renderAt('/admin/payments');
    await user.click(await screen.findByRole('button', { name: 'Enter balance' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('What the app shows now'), '999999999{Enter}');
    await waitFor(() => expect(dialog.getByRole('textbox')).toHaveAccessibleDescription(message));
    expect(dialog.getByRole('textbox')).toHaveValue('999999999');
  });
});

describe('the accounts beside the books', () => {
  it('name every difference, and mark what is not explained', async () => {
    const reasons = [
      { reason: 'opening' as const, amount: 10_000 },
      { reason: 'fees' as const, amount: -15 },
      { reason: 'unexplained' as const, amount: -500.5 },
    ];
    phones(
      [anAccount()],
      [],
      [
        { paymentMethod: 'Bkash', balance: 60_484.5, booked: 51_000, unknown: 1, reasons },
        { paymentMethod: 'Nagad', balance: 700, booked: 700, unknown: 0, reasons: [] },
      ],
    );
    renderAt('/admin/payments');
    const list = within(await screen.findByRole('region', { name: 'Accounts and books' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'bKash৳60,484.50 in the accounts, ৳51,000 in the books − ৳500.50 unexplaineddifference at the start + ৳10,000; fees − ৳15; 1 account without a balance',
      'Nagad৳700 in the accounts, ৳700 in the books Matches',
    ]);
  });
});

describe('the payments', () => {
  it('say who was credited, and which wait for somebody', async () => {
    const unread = { state: 'unread' as const, text: 'Offer: 50% off.', outgoing: null, amount: null, party: null, at: null };
    phones(
      [anAccount()],
      [
        aPayment({ state: 'credited', user: karim }),
        aPayment({ _id: 'p-2' }),
        aPayment({ _id: 'p-3', state: 'sent', outgoing: true, user: karim }),
        aPayment({ _id: 'p-7', state: 'left', outgoing: true }),
        aPayment({ _id: 'p-8', state: 'own', outgoing: true }),
        aPayment({ _id: 'p-4', state: 'held' }),
        aPayment({ _id: 'p-5', state: 'ignored' }),
        aPayment({ _id: 'p-6', ...unread }),
      ],
    );
    renderAt('/admin/payments');
    const rows = within(await screen.findByRole('table', { name: 'Payments' }))
      .getAllByRole('row')
      .slice(1);
    const cells = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent.trim()),
    );
    const [from, account, at] = ['From 01912345678', 'bKash, shop', '30 Nov, 14:05'];
    expect(cells).toEqual([
      [`${from}${account}`, 'karim', '+ ৳6,150', `Credited${at}`],
      [`${from}${account}`, '', '+ ৳6,150', `Unclaimed${at}`],
      [`To 01912345678${account}`, 'karim', '− ৳6,150', `Sent${at}`],
      [`To 01912345678${account}`, '', '− ৳6,150', `Without a withdrawal${at}`],
      [`To 01912345678${account}`, '', '− ৳6,150', `Between our accounts${at}`],
      [`${from}${account}`, '', '+ ৳6,150', `Does not add up${at}`],
      [`${from}${account}`, '', '+ ৳6,150', `Ignored${at}`],
      [account, 'Offer: 50% off.', '', 'Not understood30 Nov, 14:06'],
    ]);
    expect(screen.getAllByRole('link', { name: 'karim' })[0]).toHaveAttribute('href', '/admin/users?review=u-karim');
  });

  it('are chosen by tabs', async () => {
    const { asked } = phones([anAccount()]);
    const { user, router } = renderAt('/admin/payments');
    expect(await screen.findByText('No payments yet.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Unclaimed' }));
    expect(await screen.findByText('No unclaimed payments.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Without a withdrawal' }));
    expect(await screen.findByText('No money has left without a withdrawal.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Not understood' }));
    expect(await screen.findByText('All SMS are understood.')).toBeVisible();
    expect(router.state.location.search).toEqual({ tab: 'unread' });
    expect([...new Set(asked)]).toEqual([null, 'unclaimed', 'left', 'unread']);
  });

  it('are none while no phone forwards SMS', async () => {
    phones();
    renderAt('/admin/payments');
    expect(await screen.findByText('No phone forwards SMS yet.')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Accounts' })).toBeNull();
  });
});
