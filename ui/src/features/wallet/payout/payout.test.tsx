import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PayoutNumber } from '@/api/contract';
import { deferred } from '@/testing/deferred';
import { answered } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aWithdrawal, histories } from '../fixtures';
import { payoutNumbersQuery } from './payout-numbers';

const mine: PayoutNumber = {
  ...{ _id: 'p-1', name: 'My Nagad', paymentMethod: 'Nagad', phoneNumber: '01712448840' },
  ...{ lastSentAt: '2026-11-17T14:41:00Z', createdAt: '2026-11-01T04:00:00Z' },
};
const shop: PayoutNumber = { ...mine, _id: 'p-2', name: 'Shop', phoneNumber: '01811000111', lastSentAt: null };
const bkash: PayoutNumber = { ...mine, _id: 'p-3', name: 'My bKash', paymentMethod: 'Bkash' };

let numbers: PayoutNumber[];
let calls: string[];
const said = () => notices.map(({ kind, text }) => [kind, text]);

/** Answers a call and records its requests. */
function answers(method: 'post' | 'patch' | 'delete', path: string, answer: () => Response) {
  server.use(
    http[method](`*/api/${path}`, async ({ request }) => {
      calls.push(`${request.method} ${path} ${await request.text()}`.trim());
      return answer();
    }),
  );
}

const accepted = () =>
  HttpResponse.json({ success: true, message: 'Withdrawal submitted successfully!', withdrawal: aWithdrawal() }, { status: 201 });
const saved = () =>
  HttpResponse.json({ message: 'The number has been saved.', outcome: 'payout_number_saved', number: mine }, { status: 201 });

async function openForm() {
  const page = renderAt('/withdraw?method=Nagad');
  const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw to Nagad' }));
  await dialog.findByText('Available: $212.40');
  const amount = dialog.getByLabelText('Amount to withdraw');
  const submit = () => page.user.click(dialog.getByRole('button', { name: /^Withdraw/ }));
  const send = async () => {
    await submit();
    await page.user.click(await screen.findByRole('button', { name: 'Send it' }));
  };
  return { ...page, dialog, amount, submit, send };
}

const withdrawals = () => calls.filter((call) => call.startsWith('POST withdraw'));

beforeEach(() => {
  numbers = [];
  calls = [];
  signedInAs(nusrat);
  histories();
  server.use(http.get('*/api/wallet/payout-numbers', () => HttpResponse.json({ numbers })));
  answers('post', 'withdraw', accepted);
});

describe('a saved number', () => {
  it('of the method is picked instead of typed', async () => {
    numbers = [bkash, mine, shop];
    const { user, dialog, amount, submit, send } = await openForm();
    await dialog.findByRole('radio', { name: /My Nagad 01712-448840/ });
    expect(dialog.queryByRole('radio', { name: /My bKash/ })).toBeNull();
    expect(dialog.queryByLabelText(/^Phone number/)).toBeNull();
    await user.type(amount, '40');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Please fill out all fields.']]));
    expect(dialog.getByRole('radio', { name: /My Nagad/ })).toHaveFocus();
    await user.click(dialog.getByRole('radio', { name: /Shop/ }));
    await send();
    await waitFor(() => expect(withdrawals()).toEqual([expect.stringContaining('"phonenumber":"01811000111"')]));
    expect(calls).toHaveLength(1);
  });

  it('can be passed over for another, which is saved under a name once the server has the request', async () => {
    numbers = [mine];
    answers('post', 'wallet/payout-numbers', saved);
    const { user, dialog, amount, send } = await openForm();
    await user.type(amount, '40');
    await user.click(await dialog.findByRole('radio', { name: 'Another number' }));
    await user.type(dialog.getByLabelText(/^Phone number/), '01911222333');
    await user.type(dialog.getByLabelText(/^Save this number as/), ' Mother ');
    await send();
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toBe('POST wallet/payout-numbers {"name":"Mother","paymentMethod":"Nagad","phoneNumber":"01911222333"}');
    expect(said()).toEqual([['success', 'Withdrawal submitted successfully!']]);
  });

  it('that comes while another is about to be typed leaves the field and its focus alone', async () => {
    numbers = [mine];
    const arrival = deferred();
    server.use(
      http.get('*/api/wallet/payout-numbers', async () => {
        await arrival.promise;
        return HttpResponse.json({ numbers });
      }),
    );
    const { user, dialog } = await openForm();
    const field = dialog.getByLabelText(/^Phone number/);
    await user.click(field);
    arrival.resolve();
    expect(await dialog.findByRole('radio', { name: 'Another number' })).toBeChecked();
    expect(field).toHaveFocus();
  });

  it('is not saved a second time', async () => {
    numbers = [mine];
    const { user, dialog, amount, send } = await openForm();
    await user.type(amount, '40');
    await user.click(await dialog.findByRole('radio', { name: 'Another number' }));
    await user.type(dialog.getByLabelText(/^Save this number as/), 'Again');
    await user.type(dialog.getByLabelText(/^Phone number/), '01712448840');
    expect(dialog.queryByLabelText(/^Save this number as/)).toBeNull();
    await send();
    await waitFor(() => expect(said()).toEqual([['success', 'Withdrawal submitted successfully!']]));
    expect(calls).toHaveLength(1);
  });

  it('has a name of at most 40 characters, which is the last rule', async () => {
    const { user, dialog, amount, submit } = await openForm();
    await user.type(await dialog.findByLabelText(/^Save this number as/), 'x'.repeat(41));
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Please fill out all fields.']]));
    await user.type(amount, '40');
    await user.type(dialog.getByLabelText(/^Phone number/), '01712448840');
    notices.length = 0;
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'The name must be at most 40 characters.']]));
    expect(calls).toEqual([]);
  });

  it('that cannot be saved does not undo the withdrawal', async () => {
    answers('post', 'wallet/payout-numbers', () =>
      HttpResponse.json(
        { code: 'conflict', reason: 'too_many_numbers', message: 'You can save up to 10 numbers.' },
        { status: 409 },
      ),
    );
    const { user, dialog, amount, send } = await openForm();
    await user.type(amount, '40');
    await user.type(dialog.getByLabelText(/^Phone number/), '01712448840');
    await user.type(await dialog.findByLabelText(/^Save this number as/), 'Mine');
    await send();
    await waitFor(() => expect(said()).toHaveLength(2));
    expect(said()).toContainEqual(['success', 'Withdrawal submitted successfully!']);
    expect(said()).toContainEqual(['error', 'The withdrawal was submitted, but the number could not be saved.']);
  });

  it('is not offered to be saved where ten are', async () => {
    numbers = Array.from({ length: 10 }, (_, index) => ({ ...bkash, _id: `p-${index}`, phoneNumber: `0171244884${index}` }));
    const { dialog } = await openForm();
    expect(await dialog.findByText(/^You have saved 10 numbers/)).toBeVisible();
    expect(dialog.queryByLabelText(/^Save this number as/)).toBeNull();
  });
});

describe('the saved numbers of the page', () => {
  const list = async (user: UserEvent) => {
    await user.click(await screen.findByText('Saved numbers'));
    return within(await screen.findByRole('region', { name: 'Saved numbers' }));
  };

  it('are renamed', async () => {
    numbers = [mine];
    answers('patch', 'wallet/payout-numbers/p-1', () => {
      numbers = [{ ...mine, name: 'Mother' }];
      return HttpResponse.json({ message: 'The name has been changed.', outcome: 'payout_number_renamed', number: numbers[0] });
    });
    const { user } = renderAt('/balance');
    const section = await list(user);
    expect(section.getByText(/01712-448840 · Last sent/)).toBeVisible();
    await user.click(section.getByRole('button', { name: 'Rename: My Nagad' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename 01712-448840' }));
    await user.clear(dialog.getByLabelText('Name'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Please name this number.')).toBeVisible();
    await user.type(dialog.getByLabelText('Name'), 'Mother');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await section.findByText('Mother')).toBeVisible();
    expect(calls).toEqual(['PATCH wallet/payout-numbers/p-1 {"name":"Mother"}']);
    expect(said()).toEqual([['success', 'The name has been changed.']]);
  });

  it('are removed after a question', async () => {
    numbers = [mine, shop];
    answers('delete', 'wallet/payout-numbers/p-2', () => {
      numbers = [mine];
      return HttpResponse.json({ message: 'The number has been removed.', outcome: 'payout_number_removed' });
    });
    const { user } = renderAt('/balance');
    const section = await list(user);
    await user.click(section.getByRole('button', { name: 'Remove: Shop' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Remove “Shop”?' }));
    await user.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(section.queryByText('Shop')).toBeNull());
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(said()).toEqual([['success', 'The number has been removed.']]);
  });

  it('are not mentioned where there are none', async () => {
    renderAt('/balance');
    await screen.findByText('No transactions');
    await answered(payoutNumbersQuery.queryKey);
    expect(screen.queryByText('Saved numbers')).toBeNull();
  });
});
