import { act, render, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Notification } from '@/api/contract';
import { keys } from '@/entities/keys';
import { addNotification } from '@/entities/notification/queries';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { NotificationPicture } from './notifications-panel';

function aNotice(number: number, over: Partial<Notification> = {}): Notification {
  return {
    ...{ _id: `n-${number}`, kind: 'deal_paid', message: `Notice ${number}`, link: '/balance' },
    ...{ isRead: false, createdAt: '2026-11-08T04:14:00Z', ...over },
  };
}

/** The server's notifications, newest first. */
let rows: Notification[];
let asked: string[];
let marked: string[];
/** Scrolls the end of the list into view. */
let reachEnd: () => void;

class Observer {
  constructor(private readonly seen: (entries: { isIntersecting: boolean }[]) => void) {}
  observe() {
    reachEnd = () => this.seen([{ isIntersecting: true }]);
  }
  disconnect() {
    reachEnd = () => undefined;
  }
}

beforeEach(() => {
  [rows, asked, marked] = [[], [], []];
  vi.stubGlobal('IntersectionObserver', Observer);
  signedInAs(nusrat);
  server.use(
    http.get('*/api/auth/deposit/history', () => HttpResponse.json({ success: true, deposits: [], page: 1, pages: 1, total: 0 })),
    http.get('*/api/wallet/history', () =>
      HttpResponse.json({ from: '2026-10-20T00:00:00Z', to: '2026-11-19T00:00:00Z', opening: 0, complete: true, movements: [] }),
    ),
    http.get('*/api/notifications', ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      asked.push(new URL(request.url).search);
      const pages = Math.max(1, Math.ceil(rows.length / 10));
      const notifications = rows.slice((page - 1) * 10, page * 10);
      return HttpResponse.json({ success: true, notifications, page, pages, total: rows.length });
    }),
    http.get('*/api/notifications/unread-status', () =>
      HttpResponse.json({ success: true, hasUnread: rows.some(({ isRead }) => !isRead) }),
    ),
    http.patch('*/api/notifications/:id/read', ({ params }) => {
      marked.push(String(params.id));
      rows = rows.map((row) => (row._id === params.id ? { ...row, isRead: true } : row));
      return HttpResponse.json(rows.find(({ _id }) => _id === params.id));
    }),
    http.post('*/api/notifications/mark-all-as-read', () => {
      rows = rows.map((row) => ({ ...row, isRead: true }));
      return HttpResponse.json({ success: true, hasUnread: false });
    }),
  );
});

const DOT = 'Notifications, some unread';
const dot = () => screen.queryByRole('button', { name: DOT }) !== null;

async function openPanel() {
  const app = renderAt('/dashboard');
  await app.user.click(await screen.findByRole('button', { name: /^Notifications/ }));
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }));
  return { ...app, panel };
}

describe('the panel', () => {
  it('says so when there is nothing', async () => {
    const { panel } = await openPanel();
    expect(await panel.findByText('No notifications yet.')).toBeVisible();
    expect(panel.queryByText('Loading more notifications...')).toBeNull();
  });

  it('loads ten at a time as its end comes into view, each row once though pages shift', async () => {
    rows = Array.from({ length: 23 }, (_, index) => aNotice(23 - index));
    const { panel } = await openPanel();
    await panel.findByText('Notice 23');
    expect(panel.getAllByRole('listitem')).toHaveLength(10);
    expect(panel.getByText('Loading more notifications...')).toBeVisible();
    rows.unshift(aNotice(24));
    act(() => reachEnd());
    await panel.findByText('Notice 5');
    expect(panel.getAllByRole('listitem')).toHaveLength(19);
    act(() => reachEnd());
    await panel.findByText('Notice 1');
    expect(panel.getAllByRole('listitem')).toHaveLength(23);
    expect(panel.queryByText('Loading more notifications...')).toBeNull();
    expect(asked).toEqual(['?page=1&limit=10', '?page=2&limit=10', '?page=3&limit=10']);
  });

  it('opens what a row is about, and has read it', async () => {
    rows = [aNotice(2), aNotice(1)];
    const { panel, user, router } = await openPanel();
    await user.click(await panel.findByRole('link', { name: /Notice 2/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/balance'));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(marked).toEqual(['n-2']));
  });

  it('has a row without a place read where it is', async () => {
    rows = [aNotice(1, { link: '' })];
    const { panel, user } = await openPanel();
    await user.click(await panel.findByRole('button', { name: /^Unread. ?Notice 1/ }));
    await waitFor(() => expect(panel.getByRole('button', { name: /^Notice 1/ })).toBeVisible());
    await waitFor(() => expect(marked).toEqual(['n-1']));
  });

  it('leads nobody away from the site', async () => {
    rows = [aNotice(1, { link: '//evil.example' })];
    const { panel } = await openPanel();
    expect(await panel.findByRole('link', { name: /Notice 1/ })).toHaveAttribute('href', '/dashboard');
  });

  it('marks all as read at once', async () => {
    rows = [aNotice(2), aNotice(1)];
    const { panel, user } = await openPanel();
    await user.click(await panel.findByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(panel.queryByText(/Unread/)).toBeNull());
    expect(panel.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
    await user.keyboard('{Escape}');
    expect(dot()).toBe(false);
  });

  it('shows what arrives while it is open', async () => {
    rows = [aNotice(1, { isRead: true })];
    const { panel } = await openPanel();
    await panel.findByText('Notice 1');
    act(() => addNotification(queryClient, aNotice(2, { createdAt: new Date().toISOString() })));
    await panel.findByText('Notice 2');
    const texts = panel.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts).toEqual(['Unread. Notice 2Just now', 'Notice 18 Nov']);
  });

  /** Refetches the list; the response has the present rows, and arrives with `arrive`. */
  function onItsWay() {
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resume) => {
      arrive = resume;
    });
    const asked = new Promise<void>((told) => {
      server.use(
        http.get(
          '*/api/notifications',
          async ({ request }) => {
            const page = Number(new URL(request.url).searchParams.get('page'));
            const [notifications, total] = [rows.slice((page - 1) * 10, page * 10), rows.length];
            told();
            await held;
            return HttpResponse.json({ success: true, notifications, page, pages: Math.ceil(total / 10), total });
          },
          { once: true },
        ),
      );
    });
    return { asked, arrive };
  }

  it('keeps read what was read while the list was on its way', async () => {
    rows = [aNotice(1, { link: '' })];
    const { panel, user } = await openPanel();
    await panel.findByText('Notice 1');
    const { asked, arrive } = onItsWay();
    const loaded = queryClient.refetchQueries({ queryKey: keys.notifications });
    await asked;
    await user.click(panel.getByRole('button', { name: /^Unread. ?Notice 1/ }));
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    expect(marked).toEqual(['n-1']);
    arrive();
    await act(() => loaded);
    expect(panel.getByRole('button', { name: /^Notice 1/ })).toBeVisible();
    expect(queryClient.getQueryData(keys.unreadNotifications)).toBe(false);
  });

  it('keeps what arrives while more of it is loading', async () => {
    rows = Array.from({ length: 12 }, (_, index) => aNotice(12 - index, { isRead: true }));
    const { panel } = await openPanel();
    await panel.findByText('Notice 12');
    const { asked, arrive } = onItsWay();
    act(() => reachEnd());
    await asked;
    act(() => addNotification(queryClient, aNotice(13)));
    arrive();
    await panel.findByText('Notice 1');
    expect(panel.getAllByRole('listitem')).toHaveLength(13);
    expect(panel.getByText('Notice 13')).toBeVisible();
  });

  it('says what it could not load, without a toast, and loads it again', async () => {
    const broken = http.get('*/api/notifications', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 }));
    server.use(broken);
    const { panel, user } = await openPanel();
    expect(await panel.findByText('The notifications could not be loaded.')).toBeVisible();
    server.use(
      http.get('*/api/notifications', () =>
        HttpResponse.json({ success: true, notifications: [aNotice(1)], page: 1, pages: 1, total: 1 }),
      ),
    );
    await user.click(panel.getByRole('button', { name: 'Retry' }));
    expect(await panel.findByText('Notice 1')).toBeVisible();
    expect(notices).toEqual([]);
  });

  it('gives the focus back to the bell', async () => {
    const { user } = await openPanel();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Notifications' })).toHaveFocus());
  });
});

describe('the dot', () => {
  it('is there while something is unread, and goes with the opening of the panel', async () => {
    rows = [aNotice(1)];
    server.use(http.get('*/api/notifications', () => delay('infinite')));
    const { user } = renderAt('/dashboard');
    const bell = await screen.findByRole('button', { name: DOT });
    expect(screen.getByText('You have unread notifications.')).toBeInTheDocument();
    await user.click(bell);
    await screen.findByText('Loading more notifications...');
    expect(queryClient.getQueryState(keys.unreadNotifications)?.data).toBe(false);
  });

  it('is counted again from the list', async () => {
    rows = [aNotice(2), aNotice(1)];
    const { panel, user } = await openPanel();
    await panel.findByText('Notice 2');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: DOT })).toBeVisible();
  });

  it('comes when something arrives', async () => {
    renderAt('/dashboard');
    await screen.findByRole('button', { name: 'Notifications' });
    await waitFor(() => expect(queryClient.getQueryState(keys.unreadNotifications)?.data).toBe(false));
    act(() => addNotification(queryClient, aNotice(1)));
    expect(await screen.findByRole('button', { name: DOT })).toBeVisible();
  });

  it('is asked for every 15 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderAt('/dashboard');
    await screen.findByRole('button', { name: 'Notifications' });
    rows = [aNotice(1)];
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(await screen.findByRole('button', { name: DOT })).toBeVisible();
    vi.useRealTimers();
  });
});

const labelOf = (kind: string) =>
  render(<NotificationPicture kind={kind} />)
    .container.querySelector('[role="img"]')
    ?.getAttribute('aria-label') ?? null;

describe('the picture of a deal’s notice', () => {
  it('has the money back with the buyer where the seller’s account was suspended', () => {
    expect(labelOf('deal_seller_disabled')).toBe(labelOf('deal_buyer_left'));
    expect(labelOf('deal_seller_disabled')).not.toBe(labelOf('deal_paid'));
  });

  it('has no place for the money where it may not be paid yet', () => {
    expect(labelOf('deal_accepted')).toBeNull();
    expect(labelOf('deal_counteroffer')).toBeNull();
    expect(labelOf('deal_counteroffer_accepted')).toBeNull();
    expect(labelOf('deal_completed')).not.toBeNull();
  });
});
