import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { pendingUntil } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { anOperation, aWithdrawal, histories } from '../fixtures';

let sent: unknown[];
let keys: (string | null)[];
const said = () => notices.map(({ kind, text }) => [kind, text]);
const errors = () => notices.filter(({ kind }) => kind === 'error').map(({ text }) => text);

function answer(response: () => Response) {
  server.use(
    http.post('*/api/withdraw', async ({ request }) => {
      sent.push(await request.json());
      keys.push(request.headers.get('Idempotency-Key'));
      return response();
    }),
  );
}

const accepted = () =>
  HttpResponse.json({ success: true, message: 'Withdrawal submitted successfully!', withdrawal: aWithdrawal() }, { status: 201 });

async function openDialog() {
  const page = renderAt('/withdraw?method=Nagad');
  const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw to Nagad' }));
  await dialog.findByText('Available: $212.40');
  await dialog.findByText('1 USD = ৳122 · minimum $1.00');
  return {
    ...page,
    dialog,
    amount: dialog.getByLabelText('Amount to withdraw'),
    phone: dialog.getByLabelText(/^Phone number/),
    button: () => dialog.getByRole('button', { name: /^Withdraw/ }),
    submit: (user: UserEvent) => user.click(dialog.getByRole('button', { name: /^Withdraw/ })),
    /** Submits and answers the question. */
    send: async (user: UserEvent) => {
      await user.click(dialog.getByRole('button', { name: /^Withdraw/ }));
      await user.click(await screen.findByRole('button', { name: 'Send it' }));
    },
  };
}

beforeEach(() => {
  sent = [];
  keys = [];
  sessionStorage.clear();
  signedInAs(nusrat);
  histories();
});

describe('the withdraw dialog', () => {
  it('says the rules in the order of the specification', async () => {
    const { user, amount, phone, submit } = await openDialog();
    const says = async (text: string) => {
      notices.length = 0;
      await submit(user);
      await waitFor(() => expect(errors()).toEqual([text]));
    };
    await says('Please fill out all fields.');
    await user.type(amount, '40');
    await says('Please fill out all fields.');
    await user.type(phone, '0171244884');
    await says("Phone number must start with '01' and be 11 digits.");
    await user.clear(phone);
    await user.type(phone, '21712448840');
    await says("Phone number must start with '01' and be 11 digits.");
    await user.clear(amount);
    await says('Please fill out all fields.');
    expect(sent).toEqual([]);
  });

  it('counts taka at the rate rounded down', async () => {
    const { user, dialog, amount } = await openDialog();
    await user.type(amount, '৪০');
    expect(dialog.getByText('৳4,880')).toBeVisible();
  });

  it('refuses more than the balance', async () => {
    const { user, dialog, amount, button } = await openDialog();
    await user.type(amount, '212.41');
    expect(dialog.getByRole('status')).toHaveTextContent('Insufficient balance to withdraw');
    expect(button()).toBeDisabled();
    await user.clear(amount);
    await user.type(amount, '212.40');
    expect(dialog.queryByText('Insufficient balance to withdraw')).toBeNull();
    expect(button()).toBeEnabled();
  });

  it('asks first, with the number in groups, and sends nothing if it is not confirmed', async () => {
    answer(accepted);
    const { user, dialog, amount, phone, submit } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'All' }));
    expect(amount).toHaveValue('212.40');
    await user.type(phone, '01712448840');
    await submit(user);
    const ask = within(await screen.findByRole('alertdialog', { name: 'Withdraw $212.40?' }));
    for (const fact of ['01712-448840', '৳25,912.80', '$0.00']) expect(ask.getByText(fact)).toBeVisible();
    await user.click(ask.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(phone).toHaveValue('01712448840');
    expect(sent).toEqual([]);
  });

  it('offers the number used last', async () => {
    histories([], [aWithdrawal({ status: 'completed', phonenumber: '01811223344' })]);
    renderAt('/withdraw?method=Nagad');
    expect(await screen.findByRole('radio', { name: /Used last 01811-223344/ })).toBeVisible();
  });

  it('says where to confirm one that is held, and until when it waits', async () => {
    const withdrawal = aWithdrawal({ onHold: true, heldUntil: '2099-11-30T17:10:00Z', heldReasons: ['new_number'] });
    answer(() => HttpResponse.json({ success: true, message: '', withdrawal }, { status: 201 }));
    const { user, amount, phone, send } = await openDialog();
    await user.type(amount, '40');
    await user.type(phone, '01712448840');
    await send(user);
    expect(await screen.findByText(/^Open the email we sent to n…@.+ and tap “Confirm the withdrawal”\.$/)).toBeVisible();
    expect(screen.getByText(/without it, on 30 Nov 2099, 23:10\.$/)).toBeVisible();
  });

  it('sends Bangla digits as Latin ones, and shows the new row', async () => {
    answer(accepted);
    const { withdrawals } = histories();
    const { user, amount, phone, send } = await openDialog();
    await user.type(amount, '৪০');
    await user.type(phone, '০১৭১২-৪৪৮৮৪০');
    withdrawals.push(aWithdrawal());
    await send(user);
    await waitFor(() => expect(said()).toEqual([['success', 'Withdrawal submitted successfully!']]));
    expect(sent).toEqual([
      {
        ...{ amount: 40, phonenumber: '01712448840', paymentMethod: 'Nagad' },
        ...{ actionType: 'withdraw', convertedAmount: 4880 },
      },
    ]);
    const receipt = within(await screen.findByRole('dialog', { name: '৳4,880 → 01712-448840' }));
    expect(receipt.getByText('We’ll notify and email you.')).toBeVisible();
    await user.click(receipt.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('$40.00 to Nagad 01712-448840')).toBeVisible();
  });

  it('whose answer was lost can be sent again, although the balance is less by it already', async () => {
    answer(() => {
      server.use(
        http.get('*/api/wallet', () =>
          HttpResponse.json({ wallet: 0, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 212.4, minWithdrawal: 1 }),
        ),
      );
      return HttpResponse.error();
    });
    const { user, dialog, amount, phone, send, button } = await openDialog();
    await user.type(amount, '212.40');
    await user.type(phone, '01712448840');
    await send(user);
    expect(await dialog.findByText('Available: $0.00')).toBeVisible();
    expect(button()).toBeEnabled();
    await user.clear(amount);
    await user.type(amount, '212.39');
    expect(dialog.getByText('Insufficient balance to withdraw')).toBeVisible();
    await user.clear(amount);
    await user.type(amount, '212.40');
    answer(accepted);
    await send(user);
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Withdrawal submitted successfully!']));
    expect(sent).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('follows a payment in progress to its end by itself', async () => {
    answer(() => HttpResponse.json({ operation: anOperation }, { status: 202 }));
    const finish = pendingUntil(anOperation);
    const { user, amount, phone, send, dialog } = await openDialog();
    await user.type(amount, '40');
    await user.type(phone, '01712448840');
    await send(user);
    expect(await dialog.findByText('Payment processing')).toBeVisible();
    expect(said()).toEqual([]);
    finish();
    await waitFor(() => expect(said()).toEqual([['success', 'Withdrawal submitted successfully!']]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows a refusal of the balance at the amount and keeps what was typed', async () => {
    answer(() =>
      HttpResponse.json(
        { code: 'insufficient_balance', message: 'Insufficient balance to withdraw', shortfall: 10 },
        { status: 409 },
      ),
    );
    const { user, amount, phone, send } = await openDialog();
    await user.type(amount, '40');
    await user.type(phone, '01712448840');
    await send(user);
    await waitFor(() => expect(amount).toHaveAccessibleDescription('Insufficient balance to withdraw'));
    expect(errors()).toEqual(['Insufficient balance to withdraw']);
    expect([amount, phone].map((field) => (field as HTMLInputElement).value)).toEqual(['40', '01712448840']);
  });
});
