import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/entities/keys';
import { connectionState } from '@/lib/realtime/live';
import { ACTIVE, aDetail, closePage, DELIVERED, held, openDeal, serveDeal, tanvir } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { FakeSocket, fakeSockets, lastSocket } from '@/testing/socket';
import { startRealtime } from './start';

const connected = (times = 1) => waitFor(() => expect(FakeSocket.all).toHaveLength(times));

beforeEach(() => {
  vi.mocked(startRealtime).mockRestore();
  fakeSockets();
  signedInAs({ ...nusrat, eventSeq: 41 });
});

async function joined() {
  await connected();
  act(() => lastSocket().join({ recovered: true, seq: 41 }));
}

describe('a page', () => {
  it('of a visitor has no connection', async () => {
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ code: 'unauthenticated', message: '' }, { status: 401 })));
    renderAt('/contactus');
    await screen.findByRole('heading', { level: 1 });
    expect(FakeSocket.all).toEqual([]);
  });

  it.each(['/dashboard', '/contactus'])('of a signed-in user has one, from where his check was: %s', async (path) => {
    renderAt(path);
    await connected();
    expect(lastSocket().since).toBe('41');
  });

  it('keeps it from page to page, and ends it with the log-out', async () => {
    server.use(http.post('*/api/auth/logout', () => HttpResponse.json({ message: 'Logout successfully!' })));
    const { router, user } = renderAt('/dashboard');
    await joined();
    await act(() => router.navigate({ to: '/contactus' }));
    await screen.findByRole('heading', { level: 1, name: 'Help' });
    await user.click(await screen.findByRole('button', { name: 'Profile menu' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(FakeSocket.all).toHaveLength(1);
    expect(lastSocket().readyState).toBe(3);
    expect(connectionState()).toBe('connecting');
  });

  it('of somebody else has one of his own', async () => {
    renderAt('/dashboard');
    await joined();
    act(() => void queryClient.setQueryData(keys.me, { ...tanvir, eventSeq: 5 }));
    await connected(2);
    expect(lastSocket().since).toBe('5');
  });
});

describe('the server ends the session', () => {
  const over = () =>
    server.use(http.get('*/api/auth/check', () => HttpResponse.json({ code: 'unauthenticated', message: '' }, { status: 401 })));

  it('and its user logs in over the page, which is live again', async () => {
    const { user } = renderAt('/dashboard');
    await joined();
    over();
    act(() => lastSocket().end(4001));
    expect(await screen.findByRole('alertdialog', { name: 'Your session has ended.' })).toBeVisible();
    server.use(
      http.post('*/api/auth/login', () => {
        signedInAs({ ...nusrat, eventSeq: 44 });
        return HttpResponse.json(nusrat);
      }),
    );
    await user.type(screen.getByLabelText('Password'), 'secret-1');
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await connected(2);
    expect(lastSocket().since).toBe('41');
  });

  it('and where there is still one after all, the page is live again', async () => {
    renderAt('/dashboard');
    await joined();
    act(() => lastSocket().end(4001));
    await connected(2);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('while it refuses to connect: the page asks, and says so', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderAt('/dashboard');
    await connected();
    over();
    for (const delay of [2_000, 2_600, 0]) {
      act(() => lastSocket().fail());
      await act(() => vi.advanceTimersByTimeAsync(delay));
    }
    expect(await screen.findByRole('alertdialog', { name: 'Your session has ended.' })).toBeVisible();
    vi.useRealTimers();
  });
});

describe('what happens elsewhere', () => {
  it('is on the page of the deal before it would have asked', async () => {
    serveDeal();
    const { sentence } = await openDeal({ ...nusrat, eventSeq: 41 }, aDetail(ACTIVE));
    await joined();
    expect(sentence).not.toHaveTextContent('delivered');
    held.deal = aDetail(DELIVERED);
    act(() => lastSocket().say('dealUpdated', { _id: 'd-1', status: 'Delivered' }, 42));
    await waitFor(() => expect(sentence).toHaveTextContent(/tanvir delivered/));
    closePage();
  });

  it('is in the balance of the navbar', async () => {
    renderAt('/contactus');
    await joined();
    expect(await screen.findByRole('link', { name: 'Balance $212.40' })).toBeInTheDocument();
    server.use(
      http.get('*/api/wallet', () =>
        HttpResponse.json({ wallet: 312.4, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 }),
      ),
    );
    act(() => lastSocket().say('walletUpdated', { at: '2026-11-20T10:00:00Z' }, 42));
    expect(await screen.findByRole('link', { name: 'Balance $312.40' })).toBeInTheDocument();
  });
});

describe('without a connection', () => {
  const BANNER = /^Live updates are interrupted\. Everything still works/;

  it('for more than some seconds the page says what still works, until it is back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderAt('/dashboard');
    await joined();
    act(() => lastSocket().end(1006));
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(screen.queryByText(BANNER)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2_500));
    expect(await screen.findByText(BANNER)).toBeVisible();
    act(() => lastSocket().join({ recovered: true, seq: 41 }));
    await waitFor(() => expect(screen.queryByText(BANNER)).toBeNull());
    vi.useRealTimers();
  });

  it('the page asks for everything once, and then as often as without one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let asked = 0;
    server.use(
      http.get('*/api/wallet', () => {
        asked += 1;
        return HttpResponse.json({ wallet: 1, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 });
      }),
    );
    renderAt('/contactus');
    await joined();
    await waitFor(() => expect(asked).toBe(1));
    act(() => lastSocket().end(1006));
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    await waitFor(() => expect(asked).toBe(2));
    vi.useRealTimers();
  });
});
