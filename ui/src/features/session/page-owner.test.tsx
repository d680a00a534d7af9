import { focusManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import type { User } from '@/api/contract';
import { chatDraft, EMPTY_DRAFT, setChatDraft } from '@/entities/chat/drafts';
import { storeSelection } from '@/entities/chat/selection';
import { keys } from '@/entities/keys';
import { reloadFromHome } from '@/lib/redirect';
import { closePage, tanvir } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { endSession, renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

type App = ReturnType<typeof renderAt>;

/** The server after a login of this user, with this balance. */
function serves(user: User, wallet: number): void {
  server.use(
    http.get('*/api/wallet', () =>
      HttpResponse.json({ wallet, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 }),
    ),
    http.post('*/api/auth/login', () => {
      signedInAs(user);
      return HttpResponse.json(user);
    }),
  );
}

function nobody(): void {
  server.use(
    http.get('*/api/auth/check', () => HttpResponse.json({ code: 'unauthenticated', message: '' }, { status: 401 })),
    http.post('*/api/auth/logout', () => HttpResponse.json({ message: 'Logout successfully!' })),
  );
}

const words = () => JSON.stringify(sessionStorage);
const balance = (sum: string) => screen.findByRole('link', { name: `Balance ${sum}` });

async function logOut({ user, router }: App) {
  nobody();
  await user.click(await screen.findByRole('button', { name: 'Profile menu' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  await screen.findByRole('heading', { level: 1, name: 'Login' });
}

async function logIn({ user }: App, username?: string) {
  if (username !== undefined) await user.type(screen.getByLabelText('Username'), username);
  await user.type(screen.getByLabelText('Password'), 'secret-1');
  await user.click(screen.getByRole('button', { name: 'Login' }));
}

/** Nusrat's page with input in a form and a conversation, and a message being sent. */
async function typing(path: string, field: string) {
  signedInAs(nusrat);
  const app = renderAt(path);
  await app.user.type(await screen.findByRole('textbox', { name: new RegExp(`^${field}`) }), 'Between us');
  act(() => setChatDraft(nusrat._id, 'c-1', { ...EMPTY_DRAFT, text: 'Between us', image: 'data:' }));
  sessionStorage.setItem('unsent:u-nusrat:c-1:k', 'Between us');
  expect(words()).toMatch(/draft:.*Between us/);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  return app;
}

afterEach(() => focusManager.setFocused(undefined));

describe('who leaves', () => {
  it.each([
    ['/posts/create', 'Title'],
    ['/reportabug', 'Subject'],
  ])('leaves no words behind: %s', async (path, field) => {
    await logOut(await typing(path, field));
    await waitFor(() => expect(words()).not.toContain('u-nusrat'));
    expect(words()).not.toContain('Between us');
    expect(chatDraft(nusrat._id, 'c-1')).toEqual(EMPTY_DRAFT);
  });

  it('does not leave behind with whom they talked', async () => {
    const app = await typing('/posts/create', 'Title');
    storeSelection(nusrat._id, 'c-1', tanvir);
    await logOut(app);
    await waitFor(() => expect(localStorage.getItem('chat-storage')).toBeNull());
  });

  it('does not leave it behind for somebody who comes in another tab either', async () => {
    storeSelection('u-tanvir', 'c-1', tanvir);
    signedInAs(nusrat);
    renderAt('/posts/create');
    await screen.findByRole('textbox', { name: /^Title/ });
    await waitFor(() => expect(localStorage.getItem('chat-storage')).toBeNull());
  });

  it('is not asked about them', async () => {
    await logOut(await typing('/posts/create', 'Title'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('a page whose session has ended leaves nothing that was loaded, either', async () => {
    const app = await typing('/reportabug', 'Subject');
    await balance('$212.40');
    nobody();
    await endSession();
    await app.user.click(screen.getByRole('button', { name: 'Leave this page' }));
    await screen.findByRole('heading', { level: 1, name: 'Login' });
    await waitFor(() => expect(words()).not.toContain('Between us'));
    serves(tanvir, 7);
    await logIn(app, 'tanvir');
    await balance('$7.00');
    expect(reloadFromHome).not.toHaveBeenCalled();
  });
});

describe('somebody else', () => {
  it('who has logged in in another tab finds a page that begins anew, without words of the first', async () => {
    await typing('/posts/create', 'Title');
    signedInAs(tanvir);
    act(() => focusManager.setFocused(false));
    act(() => focusManager.setFocused(true));
    await waitFor(() => expect(reloadFromHome).toHaveBeenCalledOnce());
    expect(words()).not.toContain('Between us');
  });

  it('who logs in over the page, too', async () => {
    const app = await typing('/reportabug', 'Subject');
    nobody();
    await endSession();
    serves(tanvir, 7);
    await logIn(app);
    await waitFor(() => expect(reloadFromHome).toHaveBeenCalledOnce());
    expect(words()).not.toContain('Between us');
  });

  it('and who logs in after the session had silently ended', async () => {
    const app = await typing('/reportabug', 'Subject');
    nobody();
    await act(() => queryClient.invalidateQueries({ queryKey: keys.me }));
    await act(() => app.router.navigate({ to: '/login' }));
    await screen.findByRole('heading', { level: 1, name: 'Login' });
    serves(tanvir, 7);
    await logIn(app, 'tanvir');
    await waitFor(() => expect(reloadFromHome).toHaveBeenCalledOnce());
    expect(words()).not.toContain('Between us');
  });

  it('finds nothing in a tab that was loaded anew meanwhile', async () => {
    await typing('/reportabug', 'Subject');
    closePage();
    signedInAs(tanvir);
    renderAt('/reportabug');
    expect(await screen.findByLabelText('Subject')).toHaveValue('');
    expect(words()).not.toContain('Between us');
  });
});

describe('a session that merely ends', () => {
  it('keeps every word for its user, who logs in again', async () => {
    const app = await typing('/posts/create', 'Title');
    nobody();
    await endSession();
    serves(nusrat, 212.4);
    await logIn(app);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.getByRole('textbox', { name: /^Title/ })).toHaveValue('Between us');
    expect(chatDraft(nusrat._id, 'c-1').text).toBe('Between us');
    expect(words()).toMatch(/draft:post.*Between us/);
    expect(words()).toContain('unsent:u-nusrat:c-1:k');
    expect(reloadFromHome).not.toHaveBeenCalled();
  });
});
