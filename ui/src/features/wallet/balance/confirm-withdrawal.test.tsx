import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { withFactor, wrong } from '@/testing/second-factor';
import { aWithdrawal, histories } from '../fixtures';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const held = () => aWithdrawal({ onHold: true, heldUntil: '2099-11-19T04:54:00Z', heldReasons: ['new_number'] });

async function open() {
  const app = renderAt('/balance');
  return { ...app, section: within(await screen.findByRole('region', { name: 'In progress' })) };
}

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
