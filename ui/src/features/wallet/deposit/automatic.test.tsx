import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { keys } from '@/entities/keys';
import { aDetail } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { automaticBkash, nusrat, receivers, server, signedInAs } from '@/testing/server';
import { aDeposit, aWait, histories } from '../fixtures';

async function openDialog(method: 'Bkash' | 'Nagad') {
  signedInAs(nusrat);
  automaticBkash();
  const page = renderAt(`/deposit?method=${method}`);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('1 USD = ৳123');
  return { ...page, dialog };
}

it('waits for the SMS where that is enough, and says when the money has come', async () => {
  const deposit = aDeposit({ createdAt: new Date().toISOString() });
  server.use(
    http.post('*/api/auth/deposit', () =>
      HttpResponse.json({ success: true, message: '', deposit, wait: aWait }, { status: 201 }),
    ),
  );
  const { deposits } = histories([deposit]);
  const { user, dialog } = await openDialog('Bkash');
  expect(dialog.getByText('Credited as soon as the SMS of bKash arrives, usually within a minute.')).toBeVisible();
  expect(dialog.queryByText(/^We verify every deposit/)).toBeNull();
  await user.type(dialog.getByLabelText('Amount to add'), '100');
  await user.type(dialog.getByLabelText(/^Transaction ID/), 'CKJ8T2WV5C');
  await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
  const receipt = within(await screen.findByRole('dialog', { name: 'We’re checking ৳12,300' }));
  expect(await receipt.findByText('Waiting for the SMS of bKash…')).toBeVisible();
  expect(receipt.queryByText(/^Usually within/)).toBeNull();
  deposits[0] = aDeposit({ status: 'completed', handledAt: new Date().toISOString() });
  // As the socket does when a worker has credited it.
  await act(() => queryClient.invalidateQueries({ queryKey: keys.deposits }));
  expect(await screen.findByRole('dialog', { name: '$100.00 is in your balance' })).toBeVisible();
  expect(receipt.queryByText(/^Waiting/)).toBeNull();
  expect(receipt.queryByRole('link', { name: 'Follow this deposit' })).toBeNull();
  await user.click(receipt.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('speaks of the SMS only where it is enough', async () => {
  histories();
  const { dialog } = await openDialog('Nagad');
  expect(dialog.getByText('We verify every deposit by its TrxID. Screenshots aren’t accepted.')).toBeVisible();
  expect(dialog.queryByText(/^Credited as soon as/)).toBeNull();
});

const DEAL = '0198c0de-0000-7000-8000-000000000001';

it('shows the reference to copy, and the deposit once a payment with it has come', async () => {
  const { deposits } = histories();
  const { user, router, dialog } = await openDialog('Bkash');
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(await dialog.findByRole('button', { name: /the reference/ }));
  expect(writeText).toHaveBeenCalledWith('H7K2MQ');
  expect(dialog.getByText('Sent with the reference? Then you are done. Otherwise report it:')).toBeVisible();
  await user.type(dialog.getByLabelText('Amount to add'), '100');
  deposits.push(aDeposit({ status: 'completed', createdAt: new Date().toISOString() }));
  await act(() => queryClient.invalidateQueries({ queryKey: keys.deposits }));
  expect(await screen.findByRole('heading', { level: 1, name: '$100.00 is in your balance' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/balance/deposits/dep-1');
  await act(() => router.navigate({ to: '/deposit', search: { method: 'Bkash' } }));
  expect(await screen.findByLabelText('Amount to add')).toHaveValue('');
});

it('from the page of a deal, names the terms seen there, and leads back once the money has come', async () => {
  signedInAs(nusrat);
  const aims = automaticBkash();
  const { deposits } = histories();
  const sent: unknown[] = [];
  const refuse = async ({ request }: { request: Request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ message: '', code: 'unavailable' }, { status: 503 });
  };
  server.use(
    http.get('*/api/wallet/receivers', () => HttpResponse.json(receivers({ automatic: true, checkout: true }))),
    http.get(`*/api/deals/${DEAL}`, () => HttpResponse.json(aDetail({ _id: DEAL, terms: 2 }))),
    http.post('*/api/auth/deposit', refuse),
    http.post('*/api/checkouts', refuse),
  );
  const { user, router } = renderAt('/balance');
  await screen.findAllByRole('link', { name: 'Add money' });
  await act(() =>
    router.navigate({
      ...{ to: '/deposit', search: { deal: DEAL, amount: 25 } },
      state: { fromDeal: { terms: 2, at: Date.now() } },
    }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('H7K2MQ');
  expect(aims).toEqual([{ dealId: DEAL, terms: 2 }]);
  expect(dialog.getByText('For a deal. It is paid as soon as the money is here.')).toBeVisible();
  await user.type(dialog.getByLabelText(/^Transaction ID/), 'CKJ8T2WV5C');
  await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
  await waitFor(() => expect(sent).toMatchObject([{ dealId: DEAL, terms: 2 }]));
  await user.click(dialog.getByRole('button', { name: /^Pay .* with bKash$/ }));
  await waitFor(() => expect(sent[1]).toMatchObject({ dealId: DEAL, terms: 2 }));
  deposits.push(aDeposit({ createdAt: new Date().toISOString() }));
  await act(() => queryClient.invalidateQueries({ queryKey: keys.deposits }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.pathname).toBe('/balance');
});

it('without the words of a deal’s page, pays no deal', async () => {
  signedInAs(nusrat);
  const aims = automaticBkash();
  histories();
  renderAt(`/deposit?deal=${DEAL}`);
  expect(await screen.findByText('For a deal. Pay there once the money is in your balance.')).toBeVisible();
  await screen.findByText('H7K2MQ');
  expect(aims).toEqual([{ dealId: DEAL }]);
});
