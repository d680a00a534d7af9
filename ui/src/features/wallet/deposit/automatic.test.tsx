import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { keys } from '@/entities/keys';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { automaticBkash, nusrat, server, signedInAs } from '@/testing/server';
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
