import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/entities/keys';
import { noteServerTime } from '@/lib/server-clock';
import { pendingUntil } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { anOperation, aQueuedWithdrawal, karim, mine, onPost, queues, refusal } from '../fixtures';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const SEND = '/admin/withdrawals/wd-1/send';
const REJECT = '/admin/withdrawals/wd-1/reject';
const sent = () => HttpResponse.json({ message: '', withdrawal: aQueuedWithdrawal({ status: 'completed' }) });

async function openClaimed() {
  const page = renderAt('/admin/withdrawal?review=wd-1');
  const drawer = within(await screen.findByRole('dialog', { name: 'sabbir withdraws $40.00' }));
  await drawer.findByText(/^Reserved for you until/);
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

  it('can only be rejected when its owner says that it was somebody else’s', async () => {
    queues([], [aQueuedWithdrawal({ disownedAt: '2026-11-19T04:54:00Z' })]);
    const { user, drawer } = await openClaimed();
    expect(drawer.getByText('sabbir says that someone else requested this. It can only be rejected.')).toBeVisible();
    expect(drawer.getByText(/^sabbir said at 19 Nov.* that someone else requested it$/)).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^Send/ })).toBeNull();
    await user.keyboard('s');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeEnabled();
  });

  it('can be booked with its transaction id by the admin who opened it before it was stopped', async () => {
    const calls = onPost(SEND, sent);
    queues([], [aQueuedWithdrawal({ held: true, disownedAt: '2026-11-19T04:54:00Z', claimedBeforeStop: true })]);
    const { user, drawer } = await openClaimed();
    expect(drawer.getByText(/^It was stopped after you opened it\./)).toBeVisible();
    await user.type(drawer.getByLabelText('Payout transaction ID'), '75LPX4NB');
    await user.click(drawer.getByRole('button', { name: 'Send $40.00' }));
    await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ amount: 40, transactionId: '75LPX4NB' }]));
  });

  it('keeps its claim while it is open', async () => {
    const { claims } = queues([], [aQueuedWithdrawal()]);
    await openClaimed();
    expect(claims).toEqual(['wd-1']);
    act(() => noteServerTime(new Date(Date.now() + 2 * 60_000).toUTCString(), Date.now()));
    act(() => noteServerTime(new Date(Date.now() + 4 * 60_000).toUTCString(), Date.now()));
    await waitFor(() => expect(claims).toEqual(['wd-1', 'wd-1']));
  });

  it('shows what is new of it, and cannot be sent while it is held', async () => {
    const row = aQueuedWithdrawal({
      ...{ onHold: true, heldUntil: '2099-11-19T04:54:00Z', heldReasons: ['new_number', 'password_reset', 'new_browser'] },
      ...{ isVerified: false, sentToNumber: 0 },
    });
    queues([], [row]);
    const { user, drawer } = await openClaimed();
    for (const text of [
      'New number: nothing was ever sent to it for sabbir',
      'The password was reset in the 24 hours before',
      'New browser: logged in for less than 24 hours',
      'The email address is not verified',
    ]) {
      expect(drawer.getByText(text)).toBeVisible();
    }
    expect(drawer.getByText(/^Account since 1 Mar/)).toBeVisible();
    expect(drawer.getByText(/unless sabbir confirms it with the emailed link/)).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Send $40.00' })).toBeDisabled();
    await user.keyboard('s');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeEnabled();
  });

  it('names a change of the account before it, if there was one', async () => {
    queues([], [aQueuedWithdrawal({ heldReasons: ['factor_reset', 'email_changed'] })]);
    const { drawer } = await openClaimed();
    for (const text of [
      'Two-step login was reset in the 24 hours before',
      'The email address was changed in the 24 hours before',
    ]) {
      expect(drawer.getByText(text).closest('li')).toHaveAttribute('data-good', 'false');
    }
  });

  it('shows that the owner has confirmed it', async () => {
    queues([], [aQueuedWithdrawal({ heldReasons: ['new_number'], confirmedAt: '2026-11-19T04:54:00Z' })]);
    const { drawer } = await openClaimed();
    expect(drawer.getByText(/^Confirmed by sabbir at 19 Nov/)).toBeVisible();
    expect(drawer.getByText('A browser that sabbir has used for longer')).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Send $40.00' })).toBeEnabled();
  });

  it('has no good word for what was not recorded', async () => {
    const old = { sentToNumber: 0, requestedAt: '2026-11-19T04:54:00Z', passwordResetAt: '2026-11-18T05:00:00Z' };
    queues([], [aQueuedWithdrawal(old)]);
    const { drawer } = await openClaimed();
    const fact = (text: string | RegExp) => drawer.getByText(text).closest('li');
    expect(fact('New number: nothing was ever sent to it for sabbir')).toHaveAttribute('data-good', 'false');
    expect(fact('The password was reset in the 24 hours before')).toHaveAttribute('data-good', 'false');
    expect(drawer.queryByText(/browser/)).toBeNull();
  });

  it('knows a number that was paid before, and a reset that is long ago', async () => {
    const known = { sentToNumber: 2, requestedAt: '2026-11-19T04:54:00Z', passwordResetAt: '2026-11-18T04:54:00Z' };
    queues([], [aQueuedWithdrawal(known)]);
    const { drawer } = await openClaimed();
    const fact = (text: string) => drawer.getByText(text).closest('li');
    expect(fact('2 payouts to this number before')).toHaveAttribute('data-good', 'true');
    expect(fact('No password reset in the 24 hours before')).toHaveAttribute('data-good', 'true');
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
    const finish = pendingUntil(anOperation('withdrawal_reject'));
    const { user, drawer } = await openClaimed();
    await user.click(drawer.getByRole('button', { name: 'Reject' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Reject sabbir’s withdrawal?' }));
    await user.click(question.getByRole('button', { name: 'Reject' }));
    expect(await question.findByText('Payment processing')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(drawer.getByRole('button', { name: /^Send/ })).toBeDisabled();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeDisabled();
    finish();
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

/** The phones forward the SMS of Nagad. */
const forwarded = () => {
  const nagad = { paymentMethod: 'Nagad', number: '01811482390', automatic: true, checkout: false, room: null, fullUntil: null };
  server.use(http.get('*/api/wallet/receivers', () => HttpResponse.json([nagad])));
};

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const karims = { admin: karim, until: ago(2) };

describe('a pay run', () => {
  it('needs no transaction id: the SMS books each withdrawal while the next one is open', async () => {
    forwarded();
    const rows = [aQueuedWithdrawal(), aQueuedWithdrawal({ _id: 'wd-2', phonenumber: '01712448841' })];
    const { claims } = queues([], rows);
    const { user, drawer } = await openClaimed();
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.keyboard('nt');
    expect(writeText.mock.calls).toEqual([['01712448840'], ['4880']]);
    expect(await drawer.findByText(/^Send the taka, then open the next one/)).toBeVisible();
    expect(drawer.queryByLabelText(/^Payout transaction ID/)).toBeNull();
    await user.click(drawer.getByRole('button', { name: 'Next one' }));
    expect(await within(screen.getByRole('dialog')).findByText('01712-448841')).toBeVisible();
    await waitFor(() => expect(claims).toEqual(['wd-1', 'wd-2']));
  });

  it('turns to sent when the SMS comes', async () => {
    forwarded();
    const { withdrawals } = queues([], [aQueuedWithdrawal(), aQueuedWithdrawal({ _id: 'wd-2' })]);
    const { drawer } = await openClaimed();
    // An SMS has booked it, and its event refreshes the list.
    const booked = { status: 'completed' as const, transactionId: '75LPX4NB', handledAt: ago(0) };
    withdrawals.shift();
    server.use(
      http.post('*/api/admin/withdrawals/wd-1/claim', () =>
        HttpResponse.json({ message: '', withdrawal: aQueuedWithdrawal(booked) }),
      ),
    );
    await act(() => queryClient.invalidateQueries({ queryKey: keys.adminWithdrawals }));
    expect(await drawer.findByText('৳4,880 is booked as sent to sabbir.')).toBeVisible();
    expect(drawer.getByText('75LPX4NB')).toBeVisible();
    expect(drawer.getByRole('button', { name: 'Next one' })).toBeEnabled();
  });

  it('asks for the transaction id if no SMS comes, or the admin wants to book it', async () => {
    forwarded();
    const { user, drawer } = await openClaimed();
    await user.click(await drawer.findByRole('button', { name: 'Book it yourself' }));
    expect(drawer.getByRole('button', { name: 'Send $40.00' })).toBeEnabled();
    await user.click(drawer.getByRole('button', { name: 'Close' }));
    queues([], [aQueuedWithdrawal({ claim: mine(), claimedAt: ago(11) })]);
    await act(() => queryClient.invalidateQueries({ queryKey: keys.adminWithdrawals }));
    expect(await screen.findByText(/^Opened by you, /)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'sabbir' }));
    expect(await screen.findByText(/^No SMS for 10 minutes/)).toBeVisible();
    expect(screen.getByLabelText(/^Payout transaction ID/)).toBeVisible();
  });

  it('is not gone on with by another admin who has not looked first', async () => {
    const { claims } = queues([], [aQueuedWithdrawal({ claim: karims, claimedAt: ago(8) })]);
    const { user } = renderAt('/admin/withdrawal?review=wd-1');
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByText(/^Opened by karim, .* look in the app first\.$/)).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^(Send|Reject)/ })).toBeNull();
    await user.click(drawer.getByRole('button', { name: 'Take it' }));
    expect(await drawer.findByRole('button', { name: 'Send $40.00' })).toBeEnabled();
    expect(new Set(claims)).toEqual(new Set(['wd-1']));
  });

  it('warns of an SMS about the same number and amount', async () => {
    const evidence = {
      state: 'held' as const,
      amount: 4880,
      from: '8801712448840',
      at: '2026-11-30T08:05:00Z',
      broken: true,
      code: false,
    };
    queues([], [aQueuedWithdrawal({ evidence })]);
    const { drawer } = await openClaimed();
    expect(drawer.getByText(/^An SMS says that ৳4,880 went to this number, 30 Nov, 14:05\./)).toBeVisible();
  });

  it('asks again before it books another payment than the id has', async () => {
    const text = 'The SMS with this transaction ID says that ৳4,000.00 went to 8801712448840 at 30 Nov 2026, 14:05.';
    const differs = () => HttpResponse.json({ code: 'conflict', reason: 'payout_differs', message: text }, { status: 409 });
    const calls = onPost(SEND, differs, sent);
    const { user, drawer } = await openClaimed();
    await user.type(drawer.getByLabelText(/^Payout transaction ID/), '75LPX4NB');
    await user.click(drawer.getByRole('button', { name: 'Send $40.00' }));
    expect(await drawer.findByText(text)).toBeVisible();
    await user.type(drawer.getByLabelText(/^Payout transaction ID/), '5');
    expect(drawer.getByRole('button', { name: 'Send $40.00' })).toBeVisible();
    await user.type(drawer.getByLabelText(/^Payout transaction ID/), '{Backspace}');
    await user.click(drawer.getByRole('button', { name: 'Book it anyway' }));
    await waitFor(() => expect(said().at(-1)?.[0]).toBe('success'));
    const body = { amount: 40, transactionId: '75LPX4NB' };
    expect(calls.map((call) => call.body)).toEqual([body, { ...body, differs: true }]);
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
    await user.type(field, 'wrong');
    await user.click(dialog.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(dialog.getByRole('status')).toHaveTextContent('Incorrect password.'));
    expect(field).toHaveFocus();
    // The invalid text is selected.
    await user.keyboard('right{Enter}');
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
