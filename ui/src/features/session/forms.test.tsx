import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { notices } from '@/testing/recorded';
import { alertSays, renderAt } from '@/testing/render';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);

async function signup() {
  const app = renderAt('/signup');
  await screen.findByRole('heading', { level: 1, name: 'Create Account' });
  const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
  const submit = () => app.user.click(screen.getByRole('button', { name: 'Sign up' }));
  return { ...app, field, submit };
}

describe('sign-up', () => {
  it('says the first broken rule in the order of the specification, and shows each at its field', async () => {
    const { user, field, submit } = await signup();
    const step = async (expected: string) => {
      notices.length = 0;
      await submit();
      await waitFor(() => expect(said()).toEqual([['error', expected]]));
      expect(await screen.findByText(expected)).toBeVisible();
    };
    await step('Username is required.');
    expect(field('Username')).toHaveFocus();
    expect(field('Username')).toHaveAccessibleDescription('Username is required.');
    expect(field('Password')).toBeInvalid();
    await user.type(field('Username'), 'nusrat');
    await step('Email is required.');
    await user.type(field('Email'), 'nusrat.example');
    await step('Invalid email');
    await user.clear(field('Email'));
    await user.type(field('Email'), 'nusrat@example.com');
    await step('Password is required.');
    await user.type(field('Password'), '12345');
    await step('Password must be at least 6 characters');
  });

  it('says below its button what an account means, and leads to it beside the page', async () => {
    await signup();
    expect(screen.getByText(/^By creating an account you confirm that you are 18 or older and accept our/)).toBeVisible();
    const form = within(screen.getByRole('button', { name: 'Sign up' }).closest('form') as HTMLElement);
    const links = form
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('target')]);
    expect(links).toEqual([
      ['Terms', '/terms', '_blank'],
      ['Privacy Policy', '/privacy', '_blank'],
    ]);
  });

  it('strips spaces and dots from the username as it is typed', async () => {
    const { user, field } = await signup();
    await user.type(field('Username'), 'nus rat. jahan');
    expect(field('Username')).toHaveValue('nusratjahan');
  });

  it('sends the stored referral code, removes it, and lands on the dashboard', async () => {
    localStorage.setItem('referredBy', 'FRIEND7');
    let sent: unknown;
    server.use(
      http.post('*/api/auth/signup', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(nusrat, { status: 201 });
      }),
    );
    const { router, user, field, submit } = await signup();
    await user.type(field('Username'), 'nusrat');
    await user.type(field('Email'), ' nusrat@example.com ');
    await user.type(field('Password'), 'secret-1');
    await submit();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(sent).toEqual({
      username: 'nusrat',
      email: 'nusrat@example.com',
      password: 'secret-1',
      referredBy: 'FRIEND7',
      language: 'en',
      termsVersion: '2026-11-01',
    });
    expect(localStorage.getItem('referredBy')).toBeNull();
    expect(said()).toEqual([['success', 'Account created successfully!']]);
  });

  it('shows what the server refuses at its field and keeps what was typed', async () => {
    const message = 'This username is taken.';
    server.use(
      http.post('*/api/auth/signup', () =>
        HttpResponse.json({ message, code: 'duplicate', fields: { username: message } }, { status: 409 }),
      ),
    );
    const { user, field, submit } = await signup();
    await user.type(field('Username'), 'nusrat');
    await user.type(field('Email'), 'nusrat@example.com');
    await user.type(field('Password'), 'secret-1');
    await submit();
    expect(await screen.findByText(message)).toBeVisible();
    expect(said()).toEqual([['error', message]]);
    expect(field('Username')).toHaveFocus();
    expect(field('Email')).toHaveValue('nusrat@example.com');
  });
});

describe('log-in', () => {
  const refused = (status: number, body: object) =>
    server.use(http.post('*/api/auth/login', () => HttpResponse.json(body, { status })));
  async function login() {
    const { user } = renderAt('/login');
    await user.type(await screen.findByLabelText('Username'), 'nusrat');
    await user.type(screen.getByLabelText('Password'), 'wrong-one');
    await user.click(screen.getByRole('button', { name: 'Login' }));
  }

  it('needs both fields', async () => {
    const { user } = renderAt('/login');
    await user.click(await screen.findByRole('button', { name: 'Login' }));
    await waitFor(() => expect(said()).toEqual([['error', 'Username is required.']]));
  });

  it.each([
    [401, { message: 'No.', code: 'invalid_credentials' }, 'Incorrect username or password'],
    [429, { message: '', code: 'locked' }, 'Too many attempts. Please try again later.'],
    [403, { message: 'This account is disabled.', code: 'forbidden' }, 'This account is disabled.'],
    [502, {}, 'Something went wrong'],
  ])('answers %i %j with "%s"', async (status, body, text) => {
    refused(status, body);
    await login();
    await waitFor(() => expect(said()).toEqual([['error', text]]));
    await alertSays(text);
  });
});
