import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Checkout } from '@/api/contract';
import { keys } from '@/entities/keys';
import { leaveFor } from '@/lib/leave';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, receivers, server, signedInAs } from '@/testing/server';
import { aDeposit, histories } from '../fixtures';

vi.mock('@/lib/leave', () => ({ leaveFor: vi.fn() }));

const ID = '0198c0de-0000-7000-8000-000000000001';
const URL_OF_BKASH = 'https://payment.bkash.com/?paymentId=TR0011';

/** Serves one checkout, which a test may change, and records what was sent. */
function checkout(over: Partial<Checkout> = {}) {
  const served: Checkout = {
    ...{ _id: ID, state: 'starting', failure: null, url: null, amount: 100, convertedAmount: 12300, dealId: null },
    ...over,
  };
  const sent: unknown[] = [];
  const record = async ({ request }: { request: Request }) => {
    sent.push(await request.json());
    return HttpResponse.json(served, { status: request.url.endsWith('/return') ? 200 : 201 });
  };
  server.use(
    http.get('*/api/wallet/receivers', () => HttpResponse.json(receivers({ checkout: true }))),
    http.post('*/api/checkouts', record),
    http.post('*/api/checkouts/:id/return', record),
    http.get('*/api/checkouts/:id', ({ params }) =>
      params.id === ID
        ? HttpResponse.json(served)
        : HttpResponse.json({ code: 'not_found', message: 'There is no such payment.' }, { status: 404 }),
    ),
  );
  /** As the socket tells of it. */
  const becomes = async (change: Partial<Checkout>) => {
    Object.assign(served, change);
    await act(() => queryClient.invalidateQueries({ queryKey: keys.deposits }));
  };
  return { sent, becomes };
}

beforeEach(() => {
  vi.mocked(leaveFor).mockClear();
  sessionStorage.clear();
  signedInAs(nusrat);
  histories();
});

async function openDialog(method = 'Bkash') {
  const { user } = renderAt(`/deposit?method=${method}&deal=${ID}`);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('1 USD = ৳123');
  return { user, dialog, amount: dialog.getByLabelText('Amount to add') };
}

describe('the form of bKash with a checkout', () => {
  it('opens the page of bKash once there is one', async () => {
    const { sent, becomes } = checkout();
    const { user, dialog, amount } = await openDialog();
    await user.click(await dialog.findByRole('button', { name: 'Pay with bKash' }));
    await waitFor(() => expect(amount).toHaveAttribute('aria-invalid', 'true'));
    await user.type(amount, '100');
    await user.click(dialog.getByRole('button', { name: 'Pay ৳12,300 with bKash' }));
    await waitFor(() => expect(sent).toEqual([{ amount: 100, convertedAmount: 12300, dealId: ID }]));
    await waitFor(() => expect(dialog.getByRole('button', { name: /Opening bKash…$/ })).toHaveAttribute('aria-busy', 'true'));
    expect(leaveFor).not.toHaveBeenCalled();
    await becomes({ state: 'open', url: URL_OF_BKASH });
    await waitFor(() => expect(leaveFor).toHaveBeenCalledExactlyOnceWith(URL_OF_BKASH));
  });

  it('leaves the way by hand when there is none', async () => {
    const { becomes } = checkout();
    const { user, dialog, amount } = await openDialog();
    await user.type(amount, '100');
    await user.click(await dialog.findByRole('button', { name: 'Pay ৳12,300 with bKash' }));
    await becomes({ state: 'failed', failure: 'unavailable' });
    expect(await dialog.findByText('bKash cannot take your payment here now. Send the money yourself.')).toBeVisible();
    expect(amount).toHaveValue('100');
    expect(dialog.getByRole('button', { name: 'I have sent ৳12,300' })).toBeVisible();
    expect(leaveFor).not.toHaveBeenCalled();
  });

  it('has none for Nagad', async () => {
    checkout();
    const { dialog } = await openDialog('Nagad');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(dialog.queryByRole('button', { name: /^Pay/ })).toBeNull();
  });
});

describe('the page that bKash leads back to', () => {
  const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

  it('waits for bKash, and then leads on to the deposit', async () => {
    const { sent, becomes } = checkout({ state: 'open', url: URL_OF_BKASH });
    const { deposits } = histories();
    const { router } = renderAt(`/balance/checkouts/${ID}?paymentID=TR0011&status=success&signature=x`);
    await heading('Waiting for bKash…');
    await waitFor(() => expect(sent[0]).toEqual({ status: 'success' }));
    deposits.push(aDeposit({ _id: ID, status: 'completed', handledAt: '2026-11-19T05:10:00Z' }));
    await becomes({ state: 'paid', url: null });
    await heading('$100.00 is in your balance');
    expect(router.state.location.pathname).toBe(`/balance/deposits/${ID}`);
    expect(router.history.canGoBack()).toBe(false);
  });

  it.each([
    ['cancelled', 'You left bKash without paying.'],
    ['declined', 'bKash did not take the payment.'],
    ['expired', 'The page of bKash was open for too long.'],
  ] as const)('says that nothing was paid: %s', async (failure, why) => {
    checkout({ state: 'failed', failure, dealId: ID });
    renderAt(`/balance/checkouts/${ID}`);
    await heading('Nothing was paid');
    expect(screen.getByText(why)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute(
      'href',
      `/deposit?method=Bkash&amount=100&deal=${ID}`,
    );
  });

  it('leads back to bKash who has left it by other ways', async () => {
    const { sent } = checkout({ state: 'open', url: URL_OF_BKASH });
    renderAt(`/balance/checkouts/${ID}`);
    await heading('Not paid yet');
    expect(screen.getByRole('link', { name: 'Pay ৳12,300 with bKash' })).toHaveAttribute('href', URL_OF_BKASH);
    expect(sent).toEqual([]);
  });

  it('is that of somebody else, or of nobody', async () => {
    checkout();
    renderAt('/balance/checkouts/0198c0de-0000-7000-8000-000000000002?status=success');
    expect(await heading('There is no such payment')).toBeVisible();
  });
});
