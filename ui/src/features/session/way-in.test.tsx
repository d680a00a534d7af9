import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { aConversation, aMessage, serveChat } from '@/testing/chat';
import { aPost, aProfile } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const WANTED = `/signup?redirect=${encodeURIComponent('/posts/p-1?next=contact')}`;

let started: unknown[];

/** The server before and after a login. */
beforeEach(() => {
  started = [];
  serveChat();
  server.use(
    http.get(
      '*/api/auth/check',
      () => HttpResponse.json({ message: 'Please log in.', code: 'unauthenticated' }, { status: 401 }),
      {
        once: true,
      },
    ),
    http.post('*/api/auth/signup', () => HttpResponse.json(nusrat, { status: 201 })),
    http.post('*/api/auth/login', () => HttpResponse.json(nusrat)),
    http.get('*/api/posts/p-1', () => HttpResponse.json(aPost())),
    http.get('*/api/auth/profile/tanvir', () => HttpResponse.json(aProfile())),
    http.post('*/api/messages/send-or-start', async ({ request }) => {
      started.push(await request.json());
      return HttpResponse.json({ conversation: aConversation(), message: aMessage(), created: true }, { status: 201 });
    }),
  );
});

async function signUpAt(address: string) {
  const app = renderAt(address);
  await signUp(app);
  return app;
}

async function signUp(app: ReturnType<typeof renderAt>) {
  await app.user.type(await screen.findByLabelText('Username'), 'nusrat');
  await app.user.type(screen.getByLabelText('Email'), 'nusrat@example.com');
  await app.user.type(screen.getByLabelText('Password'), 'secret-1');
  await app.user.click(screen.getByRole('button', { name: 'Sign up' }));
}

async function logInAt(address: string) {
  const app = renderAt(address);
  await app.user.type(await screen.findByLabelText('Username'), 'nusrat');
  await app.user.type(screen.getByLabelText('Password'), 'secret-1');
  await app.user.click(screen.getByRole('button', { name: 'Login' }));
  return app;
}

const at = (app: ReturnType<typeof renderAt>) => app.router.state.location;

describe('a sign-up that comes from a post', () => {
  it('says what is next, and keeps it on the way to the log-in and back', async () => {
    const app = renderAt(WANTED);
    const next = 'Next: your chat with tanvir about “Cooking channel, 41,200 subscribers”.';
    expect(await screen.findByText(next)).toBeVisible();
    await app.user.click(screen.getByRole('link', { name: 'Log in' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
    expect(await screen.findByText(next)).toBeVisible();
    expect(at(app).search).toEqual({ redirect: '/posts/p-1?next=contact' });
    await app.user.click(screen.getByRole('link', { name: 'Create Account' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Create Account' })).toBeVisible();
    expect(at(app).search).toEqual({ redirect: '/posts/p-1?next=contact' });
  });

  it('opens the chat about it, once, and Back leads to the plain post', async () => {
    const app = await signUpAt(WANTED);
    await waitFor(() => expect(at(app).pathname).toBe('/inbox/c-1'));
    expect(started).toEqual([{ receiverId: 'u-tanvir', postId: 'p-1' }]);
    act(() => app.router.history.back());
    expect(await screen.findByRole('heading', { level: 1, name: /^Cooking channel/ })).toBeVisible();
    expect(at(app).href).toBe('/posts/p-1');
    expect(started).toHaveLength(1);
  });

  it('opens the dialog of a deal that was wanted', async () => {
    const app = await signUpAt(`/signup?redirect=${encodeURIComponent('/posts/p-1?next=deal')}`);
    expect(await screen.findByRole('dialog', { name: 'Make a deal' })).toBeVisible();
    expect(at(app).href).toBe('/posts/p-1');
    expect(started).toEqual([]);
  });
});

it('a sign-up that comes from the landing page for a link opens its form', async () => {
  await signUpAt(`/signup?redirect=${encodeURIComponent('/dashboard#link')}`);
  expect(await screen.findByRole('button', { name: 'Get the link' })).toBeVisible();
});

it('a log-in that comes from a profile opens the chat with its person', async () => {
  const app = await logInAt(`/login?redirect=${encodeURIComponent('/profile/tanvir?next=contact')}`);
  await waitFor(() => expect(at(app).pathname).toBe('/inbox/c-1'));
  expect(started).toEqual([{ receiverId: 'u-tanvir' }]);
});

it('a visitor who wants to create a post comes to its form through the sign-up', async () => {
  const app = renderAt('/posts/create');
  expect(await screen.findByText('Next: your post.')).toBeVisible();
  await app.user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Create Account' }));
  await screen.findByRole('heading', { level: 1, name: 'Create Account' });
  await signUp(app);
  expect(await screen.findByRole('heading', { level: 1, name: 'Create a post' })).toBeVisible();
});

it.each([
  ['/profile/tanvir?next=contact', 'Next: your chat with tanvir.'],
  ['/posts/create', 'Next: your post.'],
  ['/d/k7m2p9qa4x', 'Next: the deal you were invited to.'],
  ['/balance', 'One account for buying and selling. You pay nothing until you agree on a deal.'],
  ['//evil.example/posts/create', 'One account for buying and selling. You pay nothing until you agree on a deal.'],
])('says of %s: %s', async (redirect, line) => {
  renderAt(`/signup?redirect=${encodeURIComponent(redirect)}`);
  expect(await screen.findByText(line)).toBeVisible();
});

it('a sign-up is led to no address that safeRedirect refuses', async () => {
  const app = await signUpAt(`/signup?redirect=${encodeURIComponent('//evil.example')}`);
  await waitFor(() => expect(at(app).href).toBe('/dashboard'));
});

it.each(['contact', 'deal'])('a link alone does nothing in the name of its reader: next=%s', async (next) => {
  signedInAs(nusrat);
  const app = renderAt(`/posts/p-1?next=${next}`);
  await waitFor(() => expect(at(app).href).toBe('/posts/p-1'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(started).toEqual([]);
});

it('who comes from a post by the header comes back to it', async () => {
  renderAt('/posts/p-1');
  const href = '/signup?redirect=%2Fposts%2Fp-1';
  expect(await screen.findByRole('link', { name: 'Join' })).toHaveAttribute('href', href);
  expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', href.replace('signup', 'login'));
});
