import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { CODES, laptop, phone, unconfirmed, withFactor, wrong } from '@/testing/second-factor';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const totp = () => HttpResponse.json({ secret, uri: `otpauth://totp/Amanat:nusrat?secret=${secret}&issuer=Amanat` });
const removed = () => HttpResponse.json({ message: 'The authenticator app is removed.', outcome: 'totp_removed' });

/** Sets the app up as far as the code. */
async function atCode() {
  const app = renderAt('/security');
  await app.user.click(await screen.findByRole('button', { name: 'Set up' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up your authenticator app' }));
  expect(dialog.getByText('Step 1 of 3')).toBeVisible();
  expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(dialog.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeVisible();
  await app.user.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(dialog.getByLabelText('6-digit code')).toHaveFocus();
  const enter = async (code: string) => {
    await app.user.clear(dialog.getByLabelText('6-digit code'));
    if (code) await app.user.type(dialog.getByLabelText('6-digit code'), code);
    await app.user.click(dialog.getByRole('button', { name: 'Turn on' }));
  };
  return { ...app, dialog, enter };
}

describe('the authenticator app', () => {
  it('is set up in three steps, of which the last cannot be skipped', async () => {
    const { factor, calls, answers } = withFactor();
    answers('post', 'auth/second-factor/totp', totp);
    answers('post', 'auth/second-factor/totp/confirm', () => wrong('code', 'code_wrong', 'This code is not right.'));
    const { user, dialog, enter } = await atCode();
    await enter('');
    expect(await dialog.findByText('Enter the code.')).toBeVisible();
    await enter('000000');
    expect(await dialog.findByText('This code is not right.')).toBeVisible();
    expect(dialog.getByLabelText('6-digit code')).toBeInvalid();
    answers('post', 'auth/second-factor/totp/confirm', () => {
      Object.assign(factor, { totp: true, backupCodesLeft: 10 });
      return HttpResponse.json({ backupCodes: CODES });
    });
    await enter('123 456');
    const saved = await screen.findByRole('button', { name: 'I have saved them' });
    expect(within(screen.getByRole('list', { name: 'Backup codes' })).getAllByRole('listitem')).toHaveLength(10);
    expect(calls.at(-1)).toBe('POST auth/second-factor/totp/confirm {"code":"123 456"}');
    await user.keyboard('{Escape}');
    expect(saved).toBeVisible();
    await user.click(saved);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('10 of 10 left')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Turn off' })).toBeVisible();
  });

  it('asks for the password where the session was confirmed too long ago, and goes on', async () => {
    const { calls, answers } = withFactor();
    answers('post', 'auth/second-factor/totp', unconfirmed);
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Set up' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Enter your password again' }));
    answers('post', 'auth/confirm-password', () => HttpResponse.json({ message: '', outcome: 'password_confirmed' }));
    answers('post', 'auth/second-factor/totp', totp);
    await user.type(asked.getByLabelText('Password'), 'secret-1');
    await user.click(asked.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByRole('dialog', { name: 'Set up your authenticator app' })).toBeVisible();
    expect(calls).toEqual([
      'POST auth/second-factor/totp',
      'POST auth/confirm-password {"password":"secret-1"}',
      'POST auth/second-factor/totp',
    ]);
  });

  it('takes a mailed code where the server wants one', async () => {
    const { calls, answers } = withFactor();
    const needed = { message: 'Please enter the code that we mail you.', code: 'mail_code_required', reason: 'mail_code_needed' };
    answers('post', 'auth/second-factor/totp', () => HttpResponse.json(needed, { status: 403 }));
    answers('post', 'auth/mail-code', () => HttpResponse.json({ message: '', outcome: 'mail_code_sent' }));
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Set up' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Enter the code from your email' }));
    answers('post', 'auth/confirm-mail-code', () => HttpResponse.json({ message: '', outcome: 'mail_code_confirmed' }));
    answers('post', 'auth/second-factor/totp', totp);
    await user.type(asked.getByLabelText('Code from the email'), '12345678{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Set up your authenticator app' })).toBeVisible();
    expect(calls).toEqual([
      'POST auth/second-factor/totp',
      'POST auth/mail-code',
      'POST auth/confirm-mail-code {"code":"12345678"}',
      'POST auth/second-factor/totp',
    ]);
  });

  it('waits until the address is verified, and says so', async () => {
    withFactor();
    signedInAs({ ...nusrat, isVerified: false });
    renderAt('/security');
    expect(await screen.findByText(/^Verify your email first/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send another link' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });

  it('says nothing when the user does not confirm', async () => {
    const { answers } = withFactor();
    answers('post', 'auth/second-factor/totp', unconfirmed);
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Set up' }));
    const asked = within(await screen.findByRole('dialog'));
    await user.click(asked.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Set up' })).not.toHaveAttribute('aria-busy'));
    expect(said()).toEqual([]);
  });

  it('is turned off after a question, with password and code where the server wants them', async () => {
    const { factor, calls, answers } = withFactor({ totp: true, backupCodesLeft: 9 });
    answers('post', 'auth/second-factor/totp/remove', unconfirmed);
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Turn off the authenticator app?' }));
    expect(question.getByText(/your password alone will be enough/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Turn off' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Confirm that it’s you' }));
    await user.type(await asked.findByLabelText('Password'), 'secret-1');
    await user.type(asked.getByLabelText('Code from your authenticator app'), '000000');
    answers('post', 'auth/confirm-password', () => wrong('code', 'code_wrong', 'This code is not right.'));
    await user.click(asked.getByRole('button', { name: 'Confirm' }));
    expect(await asked.findByText('This code is not right.')).toBeVisible();
    answers('post', 'auth/confirm-password', () => HttpResponse.json({ message: '', outcome: 'password_confirmed' }));
    answers('post', 'auth/second-factor/totp/remove', () => {
      factor.totp = false;
      return removed();
    });
    await user.click(asked.getByRole('button', { name: 'Use a backup code instead' }));
    expect(asked.getByLabelText('Backup code')).toHaveFocus();
    await user.type(asked.getByLabelText('Backup code'), '7K2MP-9XQ4T');
    await user.click(asked.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(said()).toEqual([['success', 'The authenticator app is removed.']]));
    expect(calls.at(-2)).toBe('POST auth/confirm-password {"password":"secret-1","code":"7K2MP-9XQ4T"}');
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeVisible();
  });

  it('that could not be turned off leaves the question open, with the reason', async () => {
    const { answers } = withFactor({ totp: true, passkeys: [phone], backupCodesLeft: 9 });
    const message = 'An admin needs a second factor. Add another one first.';
    answers('post', 'auth/second-factor/totp/remove', () =>
      HttpResponse.json({ code: 'conflict', reason: 'factor_required', message }, { status: 409 }),
    );
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText(/still log in with a passkey/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Turn off' }));
    expect(await question.findByText(message)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Keep it' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it.each([
    ['app', { totp: true }, 'Turn off'],
    ['passkey', { passkeys: [laptop] }, 'Remove: My laptop'],
  ])('the last %s of whom it is required cannot be removed, and says why', async (_name, has, button) => {
    withFactor({ ...has, required: true, backupCodesLeft: 10 });
    renderAt('/security');
    expect(await screen.findByText(/^Add another way before you remove this one/)).toBeVisible();
    expect(screen.queryByRole('button', { name: button })).toBeNull();
  });
});

describe('the second factor that cannot be loaded', () => {
  it('says so, and is asked for again', async () => {
    withFactor({ totp: true, backupCodesLeft: 1 });
    const broken = http.get('*/api/auth/second-factor', () =>
      HttpResponse.json({ code: 'invalid', message: 'No.' }, { status: 400 }),
    );
    server.use(broken);
    const { user } = renderAt('/security');
    const section = within(await screen.findByRole('region', { name: 'Two-step login' }));
    expect(await section.findByText('No.')).toBeVisible();
    withFactor({ totp: true, backupCodesLeft: 1 });
    await user.click(section.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('1 of 10 left')).toBeVisible();
    expect(screen.getByText(/running out of codes/)).toBeVisible();
  });
});

describe('backup codes', () => {
  it('are made anew after a question, and can be copied, downloaded and printed', async () => {
    const { factor, answers } = withFactor({ totp: true, backupCodesLeft: 2 });
    answers('post', 'auth/second-factor/backup-codes', () => {
      factor.backupCodesLeft = 10;
      return HttpResponse.json({ backupCodes: CODES });
    });
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const texts: Blob[] = [];
    Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${texts.push(file)}`, revokeObjectURL: vi.fn() });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Make new codes' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Make new backup codes?' }));
    expect(question.getByText('The old codes stop working.')).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Make new codes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save your backup codes' }));
    await user.click(dialog.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'));
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await texts[0]?.text()).toContain(`Amanat backup codes of nusrat\n`);
    expect(await texts[0]?.text()).toContain(CODES.join('\n'));
    await user.click(dialog.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    await user.click(dialog.getByRole('button', { name: 'I have saved them' }));
    expect(await screen.findByText('10 of 10 left')).toBeVisible();
  });
});
