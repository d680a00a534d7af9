import { startRegistration } from '@simplewebauthn/browser';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { CODES, laptop, phone, withFactor, wrong } from '@/testing/second-factor';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const device = vi.mocked(startRegistration);
const failed = (name: string) => Object.assign(new Error('from the browser'), { name });

async function adding(name = 'My phone') {
  const app = renderAt('/security');
  await app.user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a passkey' }));
  await app.user.clear(dialog.getByLabelText('Name'));
  if (name) await app.user.type(dialog.getByLabelText('Name'), name);
  const go = () => app.user.click(dialog.getByRole('button', { name: 'Continue' }));
  return { ...app, dialog, go };
}

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  device.mockReset().mockResolvedValue({ id: 'made' } as Awaited<ReturnType<typeof startRegistration>>);
});

function withOptions(...args: Parameters<typeof withFactor>) {
  const api = withFactor(...args);
  api.answers('post', 'auth/second-factor/passkeys/options', () => HttpResponse.json({ publicKey: { challenge: 'c' } }));
  return api;
}

describe('a passkey', () => {
  it('is named, made by the device, and comes with backup codes if it is the first', async () => {
    const { factor, calls, answers } = withOptions();
    answers('post', 'auth/second-factor/passkeys', () => {
      Object.assign(factor, { passkeys: [phone], backupCodesLeft: 10 });
      return HttpResponse.json({ passkey: phone, backupCodes: CODES }, { status: 201 });
    });
    const { user, go } = await adding();
    await go();
    await user.click(await screen.findByRole('button', { name: 'I have saved them' }));
    expect(device).toHaveBeenCalledWith({ optionsJSON: { challenge: 'c' } });
    expect(calls.at(-1)).toBe('POST auth/second-factor/passkeys {"name":"My phone","credential":{"id":"made"}}');
    const section = within(screen.getByRole('region', { name: 'Passkeys' }));
    expect(await section.findByText('My phone')).toBeVisible();
    expect(section.getByText(/not used yet/)).toBeVisible();
  });

  it('is added without codes if it is another', async () => {
    const { factor, answers } = withOptions({ totp: true, backupCodesLeft: 4 });
    answers('post', 'auth/second-factor/passkeys', () => {
      factor.passkeys = [laptop];
      return HttpResponse.json({ passkey: laptop, backupCodes: null }, { status: 201 });
    });
    const { go } = await adding('My laptop');
    await go();
    await waitFor(() => expect(said()).toEqual([['success', 'The passkey is added.']]));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText(/last used 9 Nov, 10:02/)).toBeVisible();
  });

  it('needs a name of at most 50 characters', async () => {
    withOptions();
    const { user, dialog, go } = await adding('');
    await go();
    expect(await dialog.findByText('Please name the passkey.')).toBeVisible();
    await user.click(dialog.getByLabelText('Name'));
    await user.paste('x'.repeat(51));
    await go();
    expect(await dialog.findByText('The name must be at most 50 characters.')).toBeVisible();
    expect(device).not.toHaveBeenCalled();
  });

  it.each([
    ['NotAllowedError', null],
    ['InvalidStateError', 'This device has a passkey for your account already.'],
    ['UnknownError', 'Your device couldn’t create a passkey. Try again, or use another device.'],
  ])('that the device does not make: %s says %s', async (name, text) => {
    withOptions();
    device.mockRejectedValue(failed(name));
    const { dialog, go } = await adding();
    await go();
    await waitFor(() => expect(device).toHaveBeenCalled());
    if (text) expect(await dialog.findByText(text)).toBeVisible();
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Continue' })).not.toHaveAttribute('aria-busy'));
    if (!text) expect(dialog.getByRole('alert')).toBeEmptyDOMElement();
    expect(said()).toEqual([]);
  });

  it('that the server refuses is said', async () => {
    const { answers } = withOptions();
    const message = 'You can have at most 10 passkeys.';
    answers('post', 'auth/second-factor/passkeys/options', () =>
      HttpResponse.json({ code: 'conflict', reason: 'too_many_passkeys', message, params: { count: 10 } }, { status: 409 }),
    );
    const { dialog, go } = await adding();
    await go();
    expect(await dialog.findByText(message)).toBeVisible();
  });

  it('is renamed', async () => {
    const { factor, calls, answers } = withFactor({ passkeys: [phone, laptop], backupCodesLeft: 10 });
    answers('patch', 'auth/second-factor/passkeys/p-1', () => wrong('name', 'passkey_name_too_long', 'Too long.'));
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Rename: My phone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename the passkey' }));
    expect(dialog.getByLabelText('Name')).toHaveValue('My phone');
    await user.type(dialog.getByLabelText('Name'), ' 2');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Too long.')).toBeVisible();
    answers('patch', 'auth/second-factor/passkeys/p-1', () => {
      factor.passkeys = [{ ...phone, name: 'My phone 2' }, laptop];
      return HttpResponse.json({ ...phone, name: 'My phone 2' });
    });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Rename: My phone 2' })).toBeVisible();
    expect(calls.at(-1)).toBe('PATCH auth/second-factor/passkeys/p-1 {"name":"My phone 2"}');
  });

  it('is removed after a question', async () => {
    const { factor, calls, answers } = withFactor({ passkeys: [phone, laptop], backupCodesLeft: 10 });
    answers('delete', 'auth/second-factor/passkeys/p-2', () => {
      factor.passkeys = [phone];
      return HttpResponse.json({ message: 'The passkey is removed.', outcome: 'passkey_removed' });
    });
    const { user } = renderAt('/security');
    await user.click(await screen.findByRole('button', { name: 'Remove: My laptop' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Remove “My laptop”?' }));
    expect(question.getByText(/Every other browser is logged out\.$/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('My laptop')).toBeNull());
    expect(calls).toEqual(['DELETE auth/second-factor/passkeys/p-2']);
  });

  it('cannot be added in a browser that knows none', async () => {
    Reflect.deleteProperty(window, 'PublicKeyCredential');
    withFactor();
    renderAt('/security');
    expect(await screen.findByText(/^This browser has no passkeys\./)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });
});
