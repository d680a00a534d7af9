import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { alertSays, renderAt } from '@/testing/render';
import { server } from '@/testing/server';

const TOKEN = 'Invalid or missing token';
const badToken = () => HttpResponse.json({ message: TOKEN, code: 'invalid', fields: { token: TOKEN } }, { status: 400 });

function onPost(path: string, answer: () => Response) {
  const calls: unknown[] = [];
  server.use(
    http.post(`*/api${path}`, async ({ request }) => {
      calls.push(await request.json());
      return answer();
    }),
  );
  return calls;
}

describe('the link that confirms a withdrawal', () => {
  it('confirms by one press, and not by being opened', async () => {
    const calls = onPost('/auth/confirm-withdrawal', () => HttpResponse.json({ message: 'Your withdrawal is confirmed.' }));
    const { user } = renderAt('/confirm-withdrawal?token=tok-1');
    const button = await screen.findByRole('button', { name: 'Confirm the withdrawal' });
    expect(calls).toEqual([]);
    await user.click(button);
    expect(await screen.findByRole('heading', { name: 'Your withdrawal is confirmed.' })).toHaveFocus();
    expect(calls).toEqual([{ token: 'tok-1' }]);
  });

  it('says when it is too old, and when the withdrawal is handled', async () => {
    const message = 'This withdrawal has been handled already.';
    onPost('/auth/confirm-withdrawal', () => HttpResponse.json({ message, code: 'conflict' }, { status: 409 }));
    const { user } = renderAt('/confirm-withdrawal?token=tok-1');
    await user.click(await screen.findByRole('button', { name: 'Confirm the withdrawal' }));
    await alertSays(message);
    onPost('/auth/confirm-withdrawal', badToken);
    await user.click(screen.getByRole('button', { name: 'Confirm the withdrawal' }));
    expect(await screen.findByRole('heading', { name: 'This link has expired.' })).toBeVisible();
  });

  it('without a token says so', async () => {
    renderAt('/confirm-withdrawal');
    expect(await screen.findByText('This link is incomplete.')).toBeVisible();
  });
});

describe('the link that stops a withdrawal', () => {
  it.each([
    ['cancelled', 'The withdrawal is stopped.'],
    ['cancelling', 'The withdrawal is stopped.'],
    ['held', 'An admin may have sent it already.'],
    ['sent', 'The withdrawal had been sent.'],
  ])('says what will happen, does it by one press, and what came of it: %s', async (outcome, heading) => {
    const calls = onPost('/auth/stop-withdrawal', () => HttpResponse.json({ message: '', outcome }));
    const { user } = renderAt('/not-me?token=tok-1');
    expect(await screen.findByText(/^Every browser is logged out/)).toBeVisible();
    expect(calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Stop the withdrawal' }));
    expect(await screen.findByRole('heading', { name: heading })).toHaveFocus();
    expect(calls).toEqual([{ token: 'tok-1' }]);
    expect(screen.queryByRole('link', { name: 'Contact support' }) === null).toBe(outcome.startsWith('cancel'));
  });

  it('that is too old leads to a new password', async () => {
    onPost('/auth/stop-withdrawal', badToken);
    const { user } = renderAt('/not-me?token=tok-1');
    await user.click(await screen.findByRole('button', { name: 'Stop the withdrawal' }));
    expect(await screen.findByRole('link', { name: 'Choose a new password' })).toHaveAttribute('href', '/forgot-password');
  });
});

describe('the link that removes two-step login of somebody else', () => {
  it('says what will happen, and does it by one press', async () => {
    const calls = onPost('/auth/remove-factor', () => HttpResponse.json({ message: '', outcome: 'factor_removed' }));
    const { user } = renderAt('/not-my-factor#token=tok-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'I didn’t turn on two-step login' })).toBeVisible();
    expect(screen.getByText(/^Every browser is logged out/)).toBeVisible();
    expect(calls).toEqual([]);
    await user.dblClick(screen.getByRole('button', { name: 'Remove two-step login' }));
    expect(await screen.findByRole('heading', { name: 'Two-step login is removed.' })).toHaveFocus();
    expect(calls).toEqual([{ token: 'tok-1' }]);
  });

  it('that is too old leads to a new password', async () => {
    onPost('/auth/remove-factor', badToken);
    const { user } = renderAt('/not-my-factor?token=tok-1');
    await user.click(await screen.findByRole('button', { name: 'Remove two-step login' }));
    expect(await screen.findByRole('link', { name: 'Choose a new password' })).toHaveAttribute('href', '/forgot-password');
  });
});

describe.each([
  ['that changes the address', '/confirm-email', '/auth/email/confirm', 'Use this address', 'Your email address is changed.'],
  ['that keeps the address', '/undo-email', '/auth/email/undo', 'Keep this address', 'Your account keeps this address.'],
])('the link %s', (_, page, path, submit, done) => {
  it('does so by one press, and not by being opened', async () => {
    const calls = onPost(path, () => HttpResponse.json({ message: '' }));
    const { user } = renderAt(`${page}?token=tok-1`);
    const button = await screen.findByRole('button', { name: submit });
    expect(calls).toEqual([]);
    await user.click(button);
    expect(await screen.findByRole('heading', { name: done })).toHaveFocus();
    expect(calls).toEqual([{ token: 'tok-1' }]);
  });

  it('says when it is too old', async () => {
    onPost(path, badToken);
    const { user } = renderAt(`${page}?token=tok-1`);
    await user.click(await screen.findByRole('button', { name: submit }));
    expect(await screen.findByRole('heading', { name: 'This link has expired.' })).toBeVisible();
  });

  it('without a token says so', async () => {
    renderAt(page);
    expect(await screen.findByText('This link is incomplete.')).toBeVisible();
  });
});

it('an address that another account has taken meanwhile is named as that', async () => {
  const message = 'Email is already registered.';
  onPost('/auth/email/confirm', () =>
    HttpResponse.json({ message, code: 'duplicate', fields: { email: message } }, { status: 409 }),
  );
  const { user } = renderAt('/confirm-email?token=tok-1');
  await user.click(await screen.findByRole('button', { name: 'Use this address' }));
  await alertSays(message);
});
