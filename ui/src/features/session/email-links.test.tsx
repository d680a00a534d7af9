import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderAt } from '@/testing/render';
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
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
});
