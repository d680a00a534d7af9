import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { notices } from '@/testing/setup';
import { anOperation, aQueuedWithdrawal, onPost, queues, refusal } from './fixtures';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const SEND = '/admin/withdrawals/wd-1/send';
const REJECT = '/admin/withdrawals/wd-1/reject';
const sent = () => HttpResponse.json({ message: '', withdrawal: aQueuedWithdrawal({ status: 'completed' }) });

async function openClaimed() {
  const page = renderAt('/admin/withdrawal?review=wd-1');
  const drawer = within(await screen.findByRole('dialog', { name: 'sabbir wants $40.00' }));
  await drawer.findByText(/^Yours until/);
  return { ...page, drawer };
}

beforeEach(() => {
  queues([], [aQueuedWithdrawal()]);
});

describe('the review of a withdrawal', () => {
  it('shows number and exact taka to be copied, and an amount that cannot be changed', async () => {
    const { user, drawer } = await openClaimed();
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(drawer.getByRole('button', { name: /the number/ }));
    await user.click(drawer.getByRole('button', { name: /the taka/ }));
    expect(writeText.mock.calls).toEqual([['01712448840'], ['4880']]);
    expect(drawer.getByText('01712-448840')).toBeVisible();
    expect(drawer.getByLabelText('Amount')).toHaveAttribute('readonly');
  });

  it('is sent with the id of the payout, if there is one', async () => {
    const calls = onPost(SEND, sent);
    const { user, drawer } = await openClaimed();
    const id = drawer.getByLabelText(/^Payout transaction ID/);
    await user.type(id, 'short');
    await user.click(drawer.getByRole('button', { name: 'Send $40.00' }));
    const rule = 'Invalid transaction ID format. It should be 8-12 alphanumeric characters.';
    await waitFor(() => expect(said()).toEqual([['error', rule]]));
    expect(id).toHaveAccessibleDescription(rule);
    await user.clear(id);
    await user.type(id, '75lpx৪nb');
    await user.click(screen.getByRole('button', { name: 'Send $40.00' }));
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Withdrawal sent successfully. Balance updated.']));
    expect(calls.map(({ body }) => body)).toEqual([{ amount: 40, transactionId: '75LPX4NB' }]);
    expect(await drawer.findByText('৳4,880 is booked as sent to sabbir.')).toBeVisible();
  });

  it('can only be rejected while the user’s withdrawals are on hold', async () => {
    queues([], [aQueuedWithdrawal({ held: true })]);
    const { user, drawer } = await openClaimed();
    expect(drawer.getByText('Withdrawals of sabbir are on hold. This one can only be rejected.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^Send/ })).toBeNull();
    await user.keyboard('s');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.keyboard('r');
    expect(await screen.findByRole('alertdialog')).toBeVisible();
  });

  it('shows a used payout id at its field', async () => {
    const text = 'This transaction ID has already been used.';
    onPost(SEND, refusal(409, 'duplicate', text, { transactionId: text }));
    const { user, drawer } = await openClaimed();
    const id = drawer.getByLabelText(/^Payout transaction ID/);
    await user.type(id, '75LPX4NB');
    await user.click(screen.getByRole('button', { name: 'Send $40.00' }));
    await waitFor(() => expect(id).toHaveAccessibleDescription(text));
    expect(id).toHaveValue('75LPX4NB');
  });

  it('is rejected, and neither button works while that runs', async () => {
    onPost(REJECT, () => HttpResponse.json({ operation: anOperation('withdrawal_reject') }, { status: 202 }));
    let finished = false;
    server.use(
      http.get('*/api/operations/op-1', () =>
        HttpResponse.json(anOperation('withdrawal_reject', { status: finished ? 'done' : 'pending' })),
      ),
    );
    const { user, drawer } = await openClaimed();
    await user.click(drawer.getByRole('button', { name: 'Reject' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Reject sabbir’s withdrawal?' }));
    await user.click(question.getByRole('button', { name: 'Reject' }));
    expect(await question.findByText('Payment processing')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(drawer.getByRole('button', { name: /^Send/ })).toBeDisabled();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeDisabled();
    finished = true;
    await waitFor(() => expect(said()).toEqual([['success', 'Withdrawal has been rejected.']]));
  });

  it.each([
    [SEND, 'Send $40.00', 'An error occurred while processing the withdrawal.'],
    [REJECT, 'Reject', 'An error occurred while rejecting the withdrawal.'],
  ])('says when the call fails: %s', async (path, button, text) => {
    onPost(path, () => new HttpResponse('bad gateway', { status: 502 }));
    const { user } = await openClaimed();
    await user.click(screen.getByRole('button', { name: button }));
    const question = screen.queryByRole('alertdialog');
    if (question) await user.click(within(question).getByRole('button', { name: button }));
    await waitFor(() => expect(said()).toEqual([['error', text]]));
  });

  it('shows only the status of one that is handled', async () => {
    queues([], [aQueuedWithdrawal({ status: 'completed', transactionId: '75LPX4NB', handledAt: '2026-11-19T05:00:00Z' })]);
    renderAt('/admin/withdrawal?tab=completed&review=wd-1');
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByText('completed')).toBeVisible();
    expect(drawer.getByText('75LPX4NB')).toBeVisible();
    expect(drawer.queryByRole('button', { name: /Send|Reject/ })).toBeNull();
  });
});

describe('the password', () => {
  const required = refusal(403, 'password_required', 'Please enter your password again.');

  it('is asked for when the server wants it, and then the same call is made again', async () => {
    const calls = onPost(SEND, required, sent);
    const wrong = refusal(400, 'invalid', 'Incorrect password.', { password: 'Incorrect password.' });
    const confirmations = onPost('/auth/confirm-password', wrong, () => HttpResponse.json({ message: '' }));
    const { user } = await openClaimed();
    await user.click(screen.getByRole('button', { name: 'Send $40.00' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter your password again' }));
    const field = dialog.getByLabelText('Password');
    expect(field).toHaveFocus();
    await user.type(field, 'wrong{Enter}');
    expect(await dialog.findByText('Incorrect password.')).toBeVisible();
    await user.clear(field);
    await user.type(field, 'right{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Withdrawal sent successfully. Balance updated.']]));
    expect(confirmations.map(({ body }) => body)).toEqual([{ password: 'wrong' }, { password: 'right' }]);
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
    expect(screen.queryByRole('dialog', { name: 'Enter your password again' })).toBeNull();
  });

  it('can be withheld: then nothing is done and nothing is said', async () => {
    const calls = onPost(SEND, required);
    const { user } = await openClaimed();
    await user.click(screen.getByRole('button', { name: 'Send $40.00' }));
    await user.click(within(await screen.findByRole('dialog', { name: /password/ })).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Reject' })).toBeEnabled());
    expect(calls).toHaveLength(1);
    expect(said()).toEqual([]);
  });
});
