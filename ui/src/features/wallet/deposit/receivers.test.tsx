import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { Receiver } from '@/api/contract';
import { receiversQuery } from '@/entities/wallet/queries';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, receivers, server, signedInAs } from '@/testing/server';
import { aDeposit, aWait, histories } from '../fixtures';

let sent: unknown[];

/** Our numbers from now on; `over` is what differs for bKash. */
function numbers(over: Partial<Receiver>) {
  const [bkash, nagad] = receivers();
  server.use(http.get('*/api/wallet/receivers', () => HttpResponse.json([{ ...bkash, ...over }, nagad])));
}

const FULL = { number: null, fullUntil: '2026-11-30T18:00:00Z' };
const FULL_TEXT = 'Our bKash numbers can take no more until 1 Dec, 00:00. Please try the other method.';

async function openDialog() {
  const page = renderAt('/deposit?method=Bkash');
  return { ...page, dialog: within(await screen.findByRole('dialog')) };
}

beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  signedInAs(nusrat);
  histories();
  server.use(
    http.post('*/api/auth/deposit', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ success: true, message: '', deposit: aDeposit(), wait: aWait }, { status: 201 });
    }),
  );
});

it('keeps the number that the user has sent to, which another may have replaced since', async () => {
  const { user, dialog } = await openDialog();
  await dialog.findByText('01711-482390');
  numbers({ number: '01711000002' });
  // As when the page is looked at again.
  await act(() => queryClient.invalidateQueries(receiversQuery));
  expect(dialog.getByText('01711-482390')).toBeVisible();
  await user.type(dialog.getByLabelText('Amount to add'), '100');
  await user.type(dialog.getByLabelText(/^Transaction ID/), 'CKJ8T2WV5C');
  await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
  await waitFor(() => expect(sent).toMatchObject([{ receiver: '01711482390' }]));
});

it('shows the new number once the server says that the old one is not used', async () => {
  const { user, dialog } = await openDialog();
  await dialog.findByText('01711-482390');
  const refusal = { code: 'invalid', reason: 'receiver_unknown', message: 'Amanat no longer uses the number.' };
  server.use(http.post('*/api/auth/deposit', () => HttpResponse.json(refusal, { status: 400 }), { once: true }));
  numbers({ number: '01711000002' });
  await user.type(dialog.getByLabelText('Amount to add'), '100');
  await user.type(dialog.getByLabelText(/^Transaction ID/), 'CKJ8T2WV5C');
  await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
  expect(await dialog.findByText(refusal.message)).toBeVisible();
  expect(await dialog.findByText('01711-000002')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
  await waitFor(() => expect(sent).toMatchObject([{ receiver: '01711000002' }]));
});

it('offers the other method in place of a form while all numbers are full', async () => {
  numbers(FULL);
  const { user, dialog } = await openDialog();
  expect(await dialog.findByText(FULL_TEXT)).toBeVisible();
  expect(dialog.queryByRole('button', { name: /^I have sent/ })).toBeNull();
  await user.click(dialog.getByRole('button', { name: /^Nagad/ }));
  expect(await dialog.findByText('01811-482390')).toBeVisible();
});

it('still offers the page of bKash while all numbers are full', async () => {
  numbers({ ...FULL, checkout: true });
  const { user, dialog } = await openDialog();
  expect(await dialog.findByText(FULL_TEXT)).toBeVisible();
  await user.type(dialog.getByLabelText('Amount to add'), '100');
  expect(await dialog.findByRole('button', { name: 'Pay ৳12,300 with bKash' })).toBeVisible();
  expect(dialog.queryByText('Or Send Money to this personal number')).toBeNull();
  expect(dialog.queryByRole('button', { name: /^I have sent/ })).toBeNull();
});

it('takes the report of a form that was begun, also while all numbers are full', async () => {
  const { user, dialog } = await openDialog();
  await user.type(await dialog.findByLabelText('Amount to add'), '100');
  await user.keyboard('{Escape}');
  const link = (await screen.findAllByRole('link', { name: 'Add money' }))[0];
  numbers(FULL);
  await act(() => queryClient.invalidateQueries(receiversQuery));
  await user.click(link ?? document.body);
  await user.click(await screen.findByRole('button', { name: /^bKash/ }));
  const again = within(await screen.findByRole('dialog'));
  expect(await again.findByText(FULL_TEXT)).toBeVisible();
  await user.type(again.getByLabelText(/^Transaction ID/), 'CKJ8T2WV5C');
  await user.click(again.getByRole('button', { name: /^I have sent/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).not.toHaveProperty('receiver');
});

it('warns of an amount that the number cannot take today', async () => {
  numbers({ room: 12_000 });
  const { user, dialog } = await openDialog();
  const amount = await dialog.findByLabelText('Amount to add');
  const warning = 'This number can take only ৳12,000 more today.';
  await user.type(amount, '100');
  await dialog.findByRole('button', { name: 'I have sent ৳12,300' });
  expect(await dialog.findByText(warning)).toBeVisible();
  await user.clear(amount);
  await user.type(amount, '90');
  expect(dialog.queryByText(warning)).toBeNull();
});
