import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '@/api/contract';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { noFactor, nusrat, server, signedInAs } from '@/testing/server';

const PHONE = 'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const said = () => notices.map(({ kind, text }) => [kind, text]);

const session = (over: Partial<Session>): Session => ({
  _id: 's-1',
  userAgent: PHONE,
  address: '203.0.113.7',
  createdAt: '2026-11-08T04:02:00Z',
  lastSeenAt: '2026-11-08T04:02:00Z',
  current: false,
  ...over,
});

let calls: [string, unknown][];

/** Answers a call and records its requests. */
function takes(method: 'post' | 'delete', path: string, answer: () => Response) {
  server.use(
    http[method](`*/api/auth/${path}`, async ({ request }) => {
      calls.push([new URL(request.url).pathname, method === 'delete' ? null : await request.json()]);
      return answer();
    }),
  );
}

async function open() {
  signedInAs(nusrat);
  const app = renderAt('/security');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  return app;
}

beforeEach(() => {
  calls = [];
  server.use(
    http.get('*/api/auth/second-factor', () => HttpResponse.json(noFactor)),
    http.get('*/api/auth/sessions', () =>
      HttpResponse.json([session({ current: true }), session({ _id: 's-2', userAgent: 'curl/8' })]),
    ),
  );
});

describe('the password', () => {
  const form = async () => {
    const { user } = await open();
    await screen.findByLabelText('Current password');
    return {
      fill: async (current: string, fresh: string) => {
        if (current) await user.type(await screen.findByLabelText('Current password'), current);
        if (fresh) await user.type(screen.getByLabelText('New password'), fresh);
      },
      submit: () => user.click(screen.getByRole('button', { name: 'Save the new password' })),
    };
  };

  it('needs the present one and six characters', async () => {
    const { fill, submit } = await form();
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Enter your current password.']]));
    notices.length = 0;
    await fill('old-secret', 'short');
    await submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Password must be at least 6 characters']]));
    expect(calls).toEqual([]);
  });

  it('is changed, and the form is empty again', async () => {
    takes('post', 'change-password', () => HttpResponse.json({ message: 'Your password has been changed.' }));
    const { fill, submit } = await form();
    await fill('old-secret', 'new-secret');
    await submit();
    await waitFor(() => expect(said()).toEqual([['success', 'Your password has been changed.']]));
    expect(calls).toEqual([['/api/auth/change-password', { currentPassword: 'old-secret', newPassword: 'new-secret' }]]);
    expect(screen.getByLabelText('Current password')).toHaveValue('');
  });

  it('that is wrong is said at its field', async () => {
    const text = 'Incorrect password.';
    takes('post', 'change-password', () =>
      HttpResponse.json({ message: text, code: 'invalid', fields: { currentPassword: text } }, { status: 400 }),
    );
    const { fill, submit } = await form();
    await fill('wrong-one', 'new-secret');
    await submit();
    await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(text));
  });
});

describe('the sessions', () => {
  const list = async () => within(await screen.findByRole('region', { name: 'Where you are logged in' }));

  it('are named, and this one cannot be ended here', async () => {
    await open();
    const items = await (await list()).findAllByRole('listitem');
    expect(items[0]).toHaveTextContent('Chrome on AndroidLast seen 8 Nov, 10:02 · 203.0.113.7This browser');
    expect(items[1]).toHaveTextContent('Unknown browser');
    expect((await list()).getAllByRole('button')).toHaveLength(1);
  });

  it('of other browsers are ended', async () => {
    takes('delete', 'sessions/s-2', () => HttpResponse.json({ message: 'Session ended.' }));
    const { user } = await open();
    await user.click(await (await list()).findByRole('button', { name: /^Log out/ }));
    await waitFor(() => expect(said()).toEqual([['success', 'Logged out there.']]));
    expect((await list()).getAllByRole('listitem')).toHaveLength(1);
  });

  it('of all other browsers are ended at once', async () => {
    server.use(
      http.get('*/api/auth/sessions', () =>
        HttpResponse.json([session({ current: true }), session({ _id: 's-2' }), session({ _id: 's-3' })]),
      ),
    );
    takes('delete', 'sessions', () => HttpResponse.json({ message: 'All other sessions have ended.' }));
    const { user } = await open();
    await user.click(await (await list()).findByRole('button', { name: 'Log out everywhere else' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Logged out everywhere else.']]));
    expect((await list()).getAllByRole('listitem')).toHaveLength(1);
    expect((await list()).queryByRole('button')).toBeNull();
  });
});
