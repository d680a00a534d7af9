import { startAuthentication } from '@simplewebauthn/browser';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notices } from '@/testing/recorded';
import { alertSays, renderAt } from '@/testing/render';
import { wrong } from '@/testing/second-factor';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const device = vi.mocked(startAuthentication);
const cancelled = Object.assign(new Error('closed'), { name: 'NotAllowedError' });

let calls: string[];

function answers(path: string, answer: () => Response) {
  server.use(
    http.post(`*/api/auth/${path}`, async ({ request }) => {
      calls.push(`${path} ${await request.text()}`.trim());
      return answer();
    }),
  );
}

const entered = () => {
  signedInAs(nusrat);
  return HttpResponse.json(nusrat);
};
const expired = () =>
  HttpResponse.json({ code: 'login_expired', reason: 'login_expired', message: 'Please log in again.' }, { status: 401 });

/** Enters name and password of a user with these methods. */
async function firstStep(methods: string) {
  answers('login', () =>
    HttpResponse.json(
      {
        code: 'second_factor_required',
        reason: 'second_factor_required',
        message: 'Please confirm that it is you.',
        params: { methods },
      },
      { status: 401 },
    ),
  );
  const app = renderAt('/login');
  await app.user.type(await screen.findByLabelText('Username'), 'nusrat');
  await app.user.type(screen.getByLabelText('Password'), 'secret-1');
  await app.user.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByRole('heading', { level: 1, name: 'Two-step login' });
  return app;
}

beforeEach(() => {
  calls = [];
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  device.mockReset().mockResolvedValue({ id: 'mine' } as Awaited<ReturnType<typeof startAuthentication>>);
});

describe('the second step of a log-in', () => {
  it('takes a code; a wrong one is marked and selected', async () => {
    answers('login/code', () => wrong('code', 'code_wrong', 'This code is not right.'));
    const { user, router } = await firstStep('totp,backup');
    expect(said()).toEqual([]); // not a failure
    const field: HTMLInputElement = await screen.findByLabelText('Code from your authenticator app');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Enter the code.')).toBeVisible();
    await user.paste('123 456');
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('This code is not right.')).toBeVisible();
    expect(field).toBeInvalid();
    expect(field).toHaveFocus();
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 7]);
    answers('login/code', entered);
    await user.keyboard('654321{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls.slice(1)).toEqual(['login/code {"code":"123 456"}', 'login/code {"code":"654321"}']);
    expect(said()).toEqual([['success', 'Login successful!']]);
  });

  it('takes a backup code instead, and goes back to the app', async () => {
    answers('login/code', entered);
    const { user, router } = await firstStep('totp,backup');
    await user.click(await screen.findByRole('button', { name: 'Use a backup code instead' }));
    expect(screen.getByLabelText('Backup code')).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Use your authenticator app instead' }));
    expect(screen.getByLabelText('Code from your authenticator app')).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Use a backup code instead' }));
    await user.keyboard('7k2mp 9xq4t{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls.at(-1)).toBe('login/code {"code":"7k2mp 9xq4t"}');
  });

  it('takes a passkey, which may be cancelled in silence', async () => {
    answers('login/passkey/options', () => HttpResponse.json({ publicKey: { challenge: 'c' } }));
    answers('login/passkey', entered);
    device.mockRejectedValueOnce(cancelled);
    const { user, router } = await firstStep('passkey,backup');
    const button = await screen.findByRole('button', { name: 'Use a passkey' });
    expect(button).toHaveFocus();
    await user.click(button);
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    await user.click(button);
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls.at(-1)).toBe('login/passkey {"credential":{"id":"mine"}}');
  });

  it('says when the device cannot use a passkey, beside the code', async () => {
    answers('login/passkey/options', () => HttpResponse.json({ publicKey: { challenge: 'c' } }));
    device.mockRejectedValue(new Error('no such thing'));
    const { user } = await firstStep('totp,passkey');
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText(/^Your device couldn’t use a passkey\./)).toBeVisible();
    expect(screen.getByLabelText('Code from your authenticator app')).not.toBeInvalid();
  });

  it('that has expired leads back, with the name and a sentence why', async () => {
    answers('login/code', expired);
    const { user } = await firstStep('totp');
    await user.type(await screen.findByLabelText('Code from your authenticator app'), '123456{Enter}');
    expect(await screen.findByText(/^That took too long, or there were too many wrong codes\./)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveValue('nusrat');
    expect(screen.getByLabelText('Password')).toHaveValue('');
    expect(screen.getByLabelText('Password')).toHaveFocus();
  });

  it('is left by Back, without the password', async () => {
    const { user } = await firstStep('totp');
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Username')).toHaveValue('nusrat');
    expect(screen.getByLabelText('Password')).toHaveValue('');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that there were too many attempts, and when to come again', async () => {
    const message = 'Too many attempts. Please try again later.';
    answers('login/code', () =>
      HttpResponse.json(
        { code: 'rate_limited', reason: 'too_many_attempts', message },
        { status: 429, headers: { 'Retry-After': '120' } },
      ),
    );
    const { user } = await firstStep('totp');
    await user.type(await screen.findByLabelText('Code from your authenticator app'), '123456{Enter}');
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByText('Try again in 2 minutes.')).toBeVisible();
  });
});

describe('a log-in by passkey alone', () => {
  const press = async () => {
    answers('passkey/options', () => HttpResponse.json({ publicKey: { challenge: 'c' } }));
    const app = renderAt('/login');
    await app.user.click(await screen.findByRole('button', { name: 'Log in with a passkey' }));
    return app;
  };

  it('leads in', async () => {
    answers('passkey', entered);
    const { router } = await press();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(calls).toEqual(['passkey/options', 'passkey {"credential":{"id":"mine"}}']);
    expect(said()).toEqual([['success', 'Login successful!']]);
  });

  it('may be cancelled in silence', async () => {
    device.mockRejectedValue(cancelled);
    await press();
    await waitFor(() => expect(device).toHaveBeenCalled());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Log in with a passkey' })).not.toHaveAttribute('aria-busy'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('that fails says what to do', async () => {
    answers('passkey', () =>
      HttpResponse.json(
        { code: 'invalid_credentials', reason: 'passkey_unknown', message: 'This passkey is not known here.' },
        { status: 401 },
      ),
    );
    await press();
    await alertSays('This passkey is not known here. Log in with your username and password instead.');
  });

  it('is not offered where the browser knows none', async () => {
    vi.unstubAllGlobals();
    vi.stubGlobal('scrollTo', vi.fn());
    renderAt('/login');
    await screen.findByLabelText('Username');
    expect(screen.queryByRole('button', { name: 'Log in with a passkey' })).toBeNull();
  });
});
