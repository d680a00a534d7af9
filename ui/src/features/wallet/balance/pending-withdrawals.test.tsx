import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NotMineAnswer } from '@/api/contract';
import { deferred } from '@/testing/deferred';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { withFactor, wrong } from '@/testing/second-factor';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aWithdrawal, histories } from '../fixtures';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const held = () => aWithdrawal({ onHold: true, heldUntil: '2099-11-19T04:54:00Z', heldReasons: ['new_number', 'new_browser'] });

function onCancel(answer: () => Response) {
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/withdraw/wd-1/cancel', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return answer();
    }),
  );
  return keys;
}

function onNotMine(answer: () => NotMineAnswer) {
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/withdraw/wd-1/not-mine', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json(answer());
    }),
  );
  return keys;
}

async function open() {
  const app = renderAt('/balance');
  return { ...app, section: within(await screen.findByRole('region', { name: 'In progress' })) };
}

beforeEach(() => signedInAs(nusrat));

describe('a withdrawal that waits', () => {
  it('says until when it is held, why, and how to confirm it', async () => {
    histories([], [held(), aWithdrawal({ _id: 'wd-0', status: 'completed' })]);
    const { section } = await open();
    expect(section.getByText('$40.00 to Nagad 01712-448840')).toBeVisible();
    expect(section.getByText(/^Held until 19 Nov 2099,? 10:54:$/)).toBeVisible();
    expect(section.getByText('We have never sent you money to this number.')).toBeVisible();
    expect(section.getByText('You had been logged in with this browser for less than 24 hours.')).toBeVisible();
    expect(section.queryByText(/password was reset/)).toBeNull();
    expect(section.getByText('Confirm it with the link in your email, and we can send it right away.')).toBeVisible();
    expect(section.getAllByRole('listitem').filter((item) => item.dataset.slot === 'pending-withdrawal')).toHaveLength(1);
  });

  it('is not confirmed with two-step login that is new', async () => {
    signedInAs({ ...nusrat, secondFactor: true });
    histories([], [{ ...held(), heldReasons: ['factor_added'] }]);
    const { section } = await open();
    expect(section.getByText('Two-step login was set up or changed less than 24 hours before.')).toBeVisible();
    expect(section.getByText('Confirm it with the link in your email, and we can send it right away.')).toBeVisible();
    expect(section.queryByRole('button', { name: 'Confirm now' })).toBeNull();
  });

  it('asks an unverified owner to verify first', async () => {
    signedInAs({ ...nusrat, isVerified: false });
    histories([], [held()]);
    const { section } = await open();
    expect(section.getByText('Verify your email to be able to confirm it right away.')).toBeVisible();
  });

  it('is cancelled after a question', async () => {
    const { withdrawals } = histories([], [aWithdrawal()]);
    const keys = onCancel(() => {
      withdrawals[0] = aWithdrawal({ status: 'failed', cancelledAt: '2026-11-17T15:00:00Z' });
      return HttpResponse.json({ message: 'Your withdrawal has been cancelled.', withdrawal: withdrawals[0] });
    });
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'Cancel' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Cancel this withdrawal?' }));
    expect(question.getByText('$40.00 returns to your balance.')).toBeVisible();
    expect(keys).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Cancel the withdrawal' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Your withdrawal has been cancelled.']]));
    expect(keys).toEqual([expect.any(String)]);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'In progress' })).toBeNull());
  });

  it('says why it cannot be cancelled', async () => {
    histories([], [aWithdrawal()]);
    const message = 'An admin may have sent this withdrawal. Please try again in a few minutes.';
    onCancel(() => HttpResponse.json({ code: 'conflict', message }, { status: 409 }));
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel the withdrawal' }));
    await waitFor(() => expect(said()).toEqual([['error', message]]));
  });

  it.each([
    ['cancelled', 'The withdrawal is stopped.'],
    ['cancelling', 'The withdrawal is stopped.'],
    ['held', 'An admin may have sent it already.'],
    ['sent', 'The withdrawal had been sent.'],
  ] as const)('that somebody else asked for is stopped, and says what came of it: %s', async (outcome, heading) => {
    const { withdrawals } = histories([], [aWithdrawal()]);
    const calls = onNotMine(() => {
      withdrawals[0] = aWithdrawal({ status: 'failed', cancelledAt: '2026-11-17T15:00:00Z' });
      return { message: '', outcome, stopped: true };
    });
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'This was not me' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'You didn’t request this?' }));
    expect(dialog.getByText(/with the link we email you\.$/)).toBeVisible();
    expect(calls).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Stop the withdrawal' }));
    expect(await dialog.findByRole('heading', { name: heading })).toHaveFocus();
    expect(calls).toEqual([expect.any(String)]);
    expect(dialog.getByText(/with the link we have just emailed you/)).toBeVisible();
    // The row is gone, and the result stays.
    await waitFor(() => expect(screen.queryByText('$40.00 to Nagad 01712-448840')).toBeNull());
    expect(dialog.getByRole('heading', { name: heading })).toBeVisible();
  });

  it('that somebody else asked for leads an unverified owner to a new password', async () => {
    signedInAs({ ...nusrat, isVerified: false });
    histories([], [aWithdrawal()]);
    onNotMine(() => ({ message: '', outcome: 'held', stopped: false }));
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'This was not me' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'You didn’t request this?' }));
    expect(dialog.getByText(/Your email is not verified, so we cannot send you a link/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Stop the withdrawal' }));
    expect(await dialog.findByRole('link', { name: 'Choose a new password' })).toHaveAttribute('href', '/security');
  });

  it('that was somebody else’s can only be cancelled', async () => {
    histories([], [aWithdrawal({ disownedAt: '2026-11-17T15:00:00Z' })]);
    const { section } = await open();
    expect(
      section.getByText(/^You told us that this wasn’t you, so it is not sent unless an admin has already done so\./),
    ).toBeVisible();
    expect(section.queryByRole('button', { name: 'This was not me' })).toBeNull();
    expect(section.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  });

  it('is found behind a page of others, and Cancel with it', async () => {
    const others = Array.from({ length: 12 }, (_, index) => aWithdrawal({ _id: `wd-${index + 2}`, status: 'failed' }));
    const { withdrawals } = histories([], [...others, aWithdrawal()]);
    server.use(
      http.get('*/api/withdraw/history', ({ request }) => {
        const query = new URL(request.url).searchParams;
        const rows = withdrawals.filter(({ status }) => !query.has('status') || query.get('status') === status);
        const limit = Number(query.get('limit'));
        return HttpResponse.json({
          success: true,
          page: 1,
          pages: Math.ceil(rows.length / limit),
          total: rows.length,
          withdrawals: rows.slice(0, limit),
        });
      }),
    );
    const { section } = await open();
    expect(section.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  });

  it('that cannot be loaded is not passed over', async () => {
    histories([], [aWithdrawal()]);
    server.use(http.get('*/api/withdraw/history', () => HttpResponse.json({ code: 'invalid', message: '' }, { status: 400 })));
    const { user, section } = await open();
    expect(await section.findByText('Failed to fetch deposit or withdraw history')).toBeVisible();
    const retry = await section.findByRole('button', { name: 'Retry' });
    histories([], [aWithdrawal()]);
    const answered = deferred();
    server.use(http.get('*/api/withdraw/history', () => answered.promise));
    await user.click(retry);
    expect(await section.findByRole('button', { busy: true })).toBeVisible();
    answered.resolve();
    expect(await section.findByRole('button', { name: 'Cancel' })).toBeEnabled();
    expect(section.queryByRole('alert')).toBeNull();
  });
});

describe('the least amount', () => {
  it('is said and held to', async () => {
    server.use(
      http.get('*/api/wallet', () =>
        HttpResponse.json({ wallet: 212.4, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 5 }),
      ),
    );
    histories();
    const { user } = renderAt('/withdraw?method=Nagad');
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw to Nagad' }));
    expect(await dialog.findByText('1 USD = ৳122 · minimum $5.00')).toBeVisible();
    expect(dialog.getByText(/^First time to this number/)).toBeVisible();
    await user.type(dialog.getByLabelText('Amount to withdraw'), '4.99');
    expect(dialog.getByRole('status')).toHaveTextContent('The minimum withdrawal is $5.00.');
    expect(dialog.getByRole('button', { name: /^Withdraw/ })).toBeDisabled();
  });
});

describe('a held withdrawal of somebody with a second factor', () => {
  it('is confirmed at once with a code', async () => {
    const { calls, answers } = withFactor({ totp: true, backupCodesLeft: 10 });
    const { withdrawals } = histories([], [held()]);
    answers('post', 'withdraw/wd-1/confirm', () => wrong('code', 'code_wrong', 'This code is not right.'));
    const { user, section } = await open();
    expect(section.getByText(/^Confirm it with two-step login or the link in your email/)).toBeVisible();
    await user.click(section.getByRole('button', { name: 'Confirm now' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm the withdrawal' }));
    expect(dialog.getByText('$40.00 to Nagad 01712-448840')).toBeVisible();
    await user.type(await dialog.findByLabelText('Code from your authenticator app'), '000000{Enter}');
    expect(await dialog.findByText('This code is not right.')).toBeVisible();
    answers('post', 'withdraw/wd-1/confirm', () => {
      withdrawals[0] = aWithdrawal({ confirmedAt: '2026-11-17T15:00:00Z' });
      return HttpResponse.json({ message: '', outcome: 'withdrawal_confirmed', withdrawal: withdrawals[0] });
    });
    await user.keyboard('123456{Enter}');
    await waitFor(() => expect(said()).toEqual([['success', 'Your withdrawal is confirmed.']]));
    expect(calls.at(-1)).toBe('POST withdraw/wd-1/confirm {"code":"123456"}');
    expect(await section.findByText('You have confirmed it. We have not sent it yet.')).toBeVisible();
    expect(section.queryByRole('button', { name: 'Confirm now' })).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('that was handled meanwhile says so, and leaves the list', async () => {
    const { answers } = withFactor({ totp: true, backupCodesLeft: 10 });
    const { withdrawals } = histories([], [held()]);
    const message = 'This withdrawal has been handled already.';
    answers('post', 'withdraw/wd-1/confirm', () => {
      withdrawals[0] = aWithdrawal({ status: 'completed' });
      return HttpResponse.json({ code: 'conflict', reason: 'withdrawal_handled', message }, { status: 409 });
    });
    const { user, section } = await open();
    await user.click(section.getByRole('button', { name: 'Confirm now' }));
    await user.type(await screen.findByLabelText('Code from your authenticator app'), '123456{Enter}');
    expect(await screen.findByText(message)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Confirm now' })).toBeNull());
  });

  it('is confirmed by mail alone where there is none', async () => {
    withFactor();
    histories([], [held()]);
    const { section } = await open();
    expect(section.getByText('Confirm it with the link in your email, and we can send it right away.')).toBeVisible();
    expect(section.queryByRole('button', { name: 'Confirm now' })).toBeNull();
  });
});
