import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { setLanguage } from '@/i18n';
import { notices } from '@/testing/recorded';
import { alertSays, renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const TOKEN = 'Invalid or missing token';
const badToken = () => HttpResponse.json({ message: TOKEN, code: 'invalid', fields: { token: TOKEN } }, { status: 400 });
const word = (message: string) => () => HttpResponse.json({ message });

/** Answers a path and records body and query of its requests. */
function onPost(path: string, answer: () => Response) {
  const calls: unknown[] = [];
  server.use(
    http.post(`*/api${path}`, async ({ request }) => {
      const text = await request.text();
      calls.push(text ? JSON.parse(text) : Object.fromEntries(new URL(request.url).searchParams));
      return answer();
    }),
  );
  return calls;
}

const press = (user: ReturnType<typeof renderAt>['user'], name: string) => user.click(screen.getByRole('button', { name }));

describe('a forgotten password', () => {
  async function ask(email: string) {
    const app = renderAt('/forgot-password');
    const field = await screen.findByLabelText('Email');
    if (email) await app.user.type(field, email);
    await press(app.user, 'Send the link');
    return { ...app, field };
  }

  it('is reached from the login', async () => {
    const { router, user } = renderAt('/login');
    await user.click(await screen.findByRole('link', { name: 'Forgot Password?' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/forgot-password'));
  });

  it('has a link mailed and keeps the form for another', async () => {
    const calls = onPost('/auth/forgot-password', word('Password reset link sent to your email.'));
    const { field } = await ask(' nusrat@example.com ');
    await waitFor(() => expect(said()).toEqual([['success', 'Password reset link sent to your email.']]));
    expect(calls).toEqual([{ email: 'nusrat@example.com' }]);
    expect(screen.getByText('Password reset link sent to your email.')).toBeVisible();
    expect(field).toBeVisible();
  });

  it.each([
    ['', 'Email is required.'],
    ['nusrat', 'Invalid email address!'],
  ])('asks for an address: %j', async (typed, text) => {
    const { field } = await ask(typed);
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    expect(field).toHaveAccessibleDescription(text);
  });

  it('shows a refusal beside the form, which keeps the address', async () => {
    const text = 'This account is disabled.';
    onPost('/auth/forgot-password', () => HttpResponse.json({ message: text, code: 'forbidden' }, { status: 403 }));
    const { field } = await ask('nusrat@example.com');
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    await alertSays(text);
    expect(field).toHaveValue('nusrat@example.com');
  });

  it('asked for too often says when to try again', async () => {
    const body = { message: 'Too many attempts. Please try again later.', code: 'rate_limited' };
    onPost('/auth/forgot-password', () => HttpResponse.json(body, { status: 429, headers: { 'Retry-After': '671' } }));
    await ask('nusrat@example.com');
    await waitFor(() => expect(notices[0]?.description).toBe('Try again in 12 minutes.'));
    await alertSays('Please try again later.Try again in 12 minutes.');
  });
});

describe('a new password', () => {
  async function choose(path: string, password: string) {
    const app = renderAt(path);
    const field = await screen.findByLabelText('New password');
    await app.user.type(field, password);
    await press(app.user, 'Save the new password');
    return { ...app, field };
  }

  it('is set, ends the session of this browser, and leads to the login after two seconds', async () => {
    signedInAs(nusrat);
    const calls = onPost('/auth/reset-password', () => {
      server.use(
        http.get('*/api/auth/check', () => HttpResponse.json({ message: '', code: 'unauthenticated' }, { status: 401 })),
      );
      return HttpResponse.json({ message: 'Password has been successfully reset.' });
    });
    const { router } = await choose('/reset-password#token=tok-1', 'secret-2');
    const done = await screen.findByRole('heading', { name: 'Password has been successfully reset.' });
    const since = performance.now();
    expect(done).toHaveFocus();
    expect(said()).toEqual([['success', 'Password has been successfully reset.']]);
    expect(calls).toEqual([{ password: 'secret-2', token: 'tok-1' }]);
    expect(screen.queryByRole('button', { name: 'Profile menu' })).toBeNull();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(performance.now() - since).toBeGreaterThan(1_500);
  });

  it.each(['/reset-password#token=tok-1', '/reset-password?token=tok-1', '/verify-email#token=tok-1'])(
    'takes its token out of the address: %s',
    async (path) => {
      const { router } = renderAt(path);
      await screen.findByRole('heading', { level: 1 });
      await waitFor(() => expect(router.state.location.href).toBe(path.slice(0, path.search(/[#?]/))));
      expect(router.history.length).toBe(1);
      expect(screen.queryByText(/Invalid or missing token|This link is incomplete/)).toBeNull();
    },
  );

  it('has at least six characters', async () => {
    const text = 'Password must be at least 6 characters long.';
    const { field } = await choose('/reset-password?token=tok-1', '12345');
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    expect(field).toHaveAccessibleDescription(text);
  });

  it('needs a token', async () => {
    await choose('/reset-password', 'secret-2');
    await waitFor(() => expect(said()).toEqual([['error', TOKEN]]));
    expect(screen.getByText(TOKEN)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Send another link' })).toHaveAttribute('href', '/forgot-password');
  });

  it('needs a token that works', async () => {
    onPost('/auth/reset-password', badToken);
    await choose('/reset-password?token=old', 'secret-2');
    await waitFor(() => expect(said()).toEqual([['error', TOKEN]]));
    expect(await screen.findByRole('link', { name: 'Send another link' })).toBeVisible();
  });

  it('is kept in its field when the connection is lost', async () => {
    onPost('/auth/reset-password', () => HttpResponse.error());
    const { field } = await choose('/reset-password?token=tok-1', 'secret-2');
    await waitFor(() => expect(said()).toEqual([['error', 'Something went wrong.']]));
    expect(field).toHaveValue('secret-2');
  });
});

describe('the link that verifies', () => {
  const unverified = { ...nusrat, isVerified: false };
  async function verify(path = '/verify-email#token=tok-1') {
    const app = renderAt(path);
    await screen.findByRole('heading', { level: 1, name: 'Verify your email' });
    return app;
  }

  it('verifies by one press, once, and the banner goes', async () => {
    signedInAs(unverified);
    const calls = onPost('/auth/verify-email', () => {
      signedInAs(nusrat);
      return HttpResponse.json({ message: 'Your email is verified.' });
    });
    const { user } = await verify();
    expect(await screen.findByText('Please verify your email.')).toBeVisible();
    expect(calls).toEqual([]);
    await user.dblClick(screen.getByRole('button', { name: 'Verify email' }));
    expect(await screen.findByRole('heading', { name: 'Your email is verified.' })).toHaveFocus();
    expect(calls).toEqual([{ token: 'tok-1' }]);
    await waitFor(() => expect(screen.queryByText('Please verify your email.')).toBeNull());
    expect(screen.getByRole('link', { name: 'Go to dashboard' })).toBeVisible();
  });

  it('verifies for whoever is not signed in, too', async () => {
    onPost('/auth/verify-email', word('Your email is verified.'));
    const { user } = await verify();
    await press(user, 'Verify email');
    expect(await screen.findByRole('link', { name: 'Log in' })).toBeVisible();
  });

  it('that is too old offers another one', async () => {
    signedInAs(unverified);
    onPost('/auth/verify-email', badToken);
    const calls = onPost('/auth/resend-verification', word('Verification link sent to your email.'));
    const { user } = await verify();
    await press(user, 'Verify email');
    expect(await screen.findByRole('heading', { name: 'This link has expired.' })).toBeVisible();
    await press(user, 'Send another link');
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Verification link sent to your email.']));
    expect(calls).toHaveLength(1);
  });

  it('that was used says that all is well', async () => {
    signedInAs(nusrat);
    onPost('/auth/verify-email', badToken);
    const { user } = await verify();
    await press(user, 'Verify email');
    expect(await screen.findByRole('heading', { name: 'Your email is already verified.' })).toBeVisible();
    expect(said()).toEqual([]);
  });

  it('without a token says so', async () => {
    await verify('/verify-email');
    expect(await screen.findByText('This link is incomplete.')).toBeVisible();
  });

  it('can be tried again when the connection is lost', async () => {
    onPost('/auth/verify-email', () => HttpResponse.error());
    const { user } = await verify();
    await press(user, 'Verify email');
    await alertSays('Something went wrong.Check your connection and try again.');
    expect(screen.getByRole('button', { name: 'Verify email' })).toBeVisible();
  });
});

describe('the link that stops mails', () => {
  it('says what does not stop, and stops nothing before it is pressed', async () => {
    const calls = onPost('/mail/unsubscribe', word('You’re unsubscribed from these emails.'));
    const { user } = renderAt('/unsubscribe?token=tok-1');
    expect(await screen.findByText(/^Emails about your account/)).toBeVisible();
    expect(calls).toEqual([]);
    await press(user, 'Unsubscribe from these emails');
    expect(await screen.findByRole('heading', { name: 'You’re unsubscribed from these emails.' })).toBeVisible();
    expect(calls).toEqual([{ token: 'tok-1' }]);
  });

  it('that is not known says so', async () => {
    onPost('/mail/unsubscribe', badToken);
    const { user } = renderAt('/unsubscribe?token=nobody');
    await user.click(await screen.findByRole('button', { name: 'Unsubscribe from these emails' }));
    expect(await screen.findByRole('heading', { name: 'We do not know this link.' })).toBeVisible();
  });

  it('about saved searches stops those alone', async () => {
    const calls = onPost('/mail/unsubscribe', word('You will get no more emails about your saved searches.'));
    const { user } = renderAt('/unsubscribe?token=tok-1&of=searches');
    await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('heading', { name: 'You get no more emails about your saved searches.' })).toBeVisible();
    expect(calls).toEqual([{ token: 'tok-1', of: 'searches' }]);
    expect(screen.getByRole('link', { name: 'Saved searches' })).toHaveAttribute('href', '/saved?tab=searches');
  });

  it('speaks Bangla to whoever reads Bangla', async () => {
    await setLanguage('bn');
    onPost('/mail/unsubscribe', word('You’re unsubscribed from these emails.'));
    const { user } = renderAt('/unsubscribe?token=tok-1');
    await user.click(await screen.findByRole('button', { name: 'ইমেইল বন্ধ করুন' }));
    expect(await screen.findByRole('heading', { name: 'এমন ইমেইল আর আসবে না।' })).toBeVisible();
  });
});
