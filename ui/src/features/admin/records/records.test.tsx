import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminNotification, AuditEntry } from '@/api/contract';
import { keys } from '@/entities/keys';
import { type Translate, translate } from '@/i18n';
import { adminRecords } from '@/i18n/en/admin';
import { aUser, recordOf } from '@/testing/admin';
import { omit } from '@/testing/omit';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { bareList, karim, queues, refusal } from '../fixtures';
import { ACTIONS, actionText, ranBy, subjectText } from './entry-text';
import { kindOf, OTHER_KIND } from './notifications-page';

function aNotice(over: Partial<AdminNotification> = {}): AdminNotification {
  return {
    _id: 'n-1',
    type: 'admin_bug_report',
    message: 'karim reports a bug: No picture',
    createdAt: '2026-11-20T04:00:00Z',
    user: karim,
    link: '/admin/bug-reports',
    isRead: false,
    ...over,
  };
}

const DEAL = 'deal:0198a000-0000-7000-8000-0000000000d1';

function anEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    _id: 7,
    at: '2026-11-20T04:00:00Z',
    actor: karim,
    action: 'deal.cancel',
    subject: DEAL,
    people: [{ _id: 'u-nusrat', username: 'nusrat', profilePic: '', isStaff: false }],
    details: { buyer: 'u-nusrat', price: 480.5, reason: '', strange: { new: true } },
    ...over,
  };
}

beforeEach(() => {
  queues();
  server.use(
    http.get('*/api/admin/bug-reports', ({ request }) => bareList([], request)),
    http.get('*/api/admin/users/u-nusrat', () => HttpResponse.json(recordOf(aUser({ _id: 'u-nusrat', username: 'nusrat' })))),
    http.get('*/api/admin/users/u-karim', () => HttpResponse.json(recordOf(aUser({ ...karim, email: 'karim@example.com' })))),
  );
});

describe('the notifications', () => {
  /** Serves notifications, and records those marked as read. */
  function notified(...rows: AdminNotification[]) {
    const read: string[] = [];
    server.use(
      http.get('*/api/admin/notifications', ({ request }) => bareList(rows, request)),
      http.patch('*/api/notifications/:id/read', ({ params }) => {
        read.push(String(params.id));
        const notice = rows[0] ?? aNotice();
        return HttpResponse.json({ ...omit(notice, 'type', 'user'), kind: notice.type, isRead: true });
      }),
      http.post('*/api/notifications/mark-all-as-read', () => {
        for (const row of rows) row.isRead = true;
        return HttpResponse.json({ success: true, hasUnread: false });
      }),
    );
    return read;
  }

  it('say what, when and about whom, and lead there, which reads them', async () => {
    const read = notified(
      aNotice(),
      aNotice({ _id: 'n-2', type: 'something_new', message: 'News', user: null, link: '', isRead: true }),
    );
    const { user, router } = renderAt('/admin/notifications');
    await user.click(await screen.findByRole('link', { name: 'Notifications' }));
    const items = await within(screen.getByRole('main')).findAllByRole('listitem');
    expect(items[0]).toHaveTextContent('Bug report, 20 Nov, 10:00unreadkarim reports a bug: No pictureUser: karim');
    expect(items[1]).toHaveTextContent('Notification, 20 Nov, 10:00News');
    expect(screen.getAllByRole('link', { name: /^View Details/ })).toHaveLength(1);
    await user.click(screen.getByRole('link', { name: 'View Details: karim reports a bug: No picture' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/bug-reports'));
    await waitFor(() => expect(read).toEqual(['n-1']));
  });

  it('name the money that waits for an admin', async () => {
    notified(
      aNotice({ type: 'admin_credit', message: 'To confirm', user: null }),
      aNotice({ _id: 'n-2', type: 'admin_deposit_disputed', message: 'Reported twice', user: null }),
    );
    renderAt('/admin/notifications');
    expect(await screen.findByText(/^Credit to confirm,/)).toBeVisible();
    expect(screen.getByText(/^Disputed deposit,/)).toBeVisible();
  });

  it('lead to the part of a page that they are about', async () => {
    notified(aNotice({ type: 'admin_escalated', message: 'A deal waits', user: null, link: '/admin/deals?tab=decide' }));
    const { user, router } = renderAt('/admin/notifications');
    await user.click(await screen.findByRole('link', { name: 'View Details: A deal waits' }));
    await waitFor(() => expect(router.state.location.href).toBe('/admin/deals?tab=decide'));
  });

  it('are all read at once', async () => {
    notified(aNotice(), aNotice({ _id: 'n-2' }));
    const { user } = renderAt('/admin/notifications');
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(screen.queryByText('unread')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  });

  it('are read on the bell and in its panel, too', async () => {
    const row = { _id: 'n-1', kind: 'admin_bug_report', message: '', link: '', isRead: false, createdAt: '2026-11-20T04:00:00Z' };
    const page = { success: true, notifications: [row], page: 1, pages: 1, total: 1 };
    queryClient.setQueryData(keys.notifications, { pages: [page], pageParams: [1] });
    queryClient.setQueryData(keys.unreadNotifications, true);
    notified(aNotice());
    const { user } = renderAt('/admin/notifications');
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(queryClient.getQueryData(keys.unreadNotifications)).toBe(false));
    expect(queryClient.getQueryData(keys.notifications)).toMatchObject({ pages: [{ notifications: [{ isRead: true }] }] });
  });

  it('come in pages', async () => {
    notified(...Array.from({ length: 11 }, (_, index) => aNotice({ _id: `n-${index}`, message: `Number ${index}` })));
    const { user } = renderAt('/admin/notifications');
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Number 10')).toBeVisible();
  });

  it('say so when there are none, and when they cannot be loaded', async () => {
    server.use(http.get('*/api/admin/notifications', refusal(409, 'conflict', '')));
    const { user } = renderAt('/admin/notifications');
    expect(await screen.findByText('Failed to fetch notifications')).toBeVisible();
    notified();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No notifications yet.')).toBeVisible();
  });
});

describe('the audit log', () => {
  function logged(...entries: AuditEntry[]) {
    const asked: URLSearchParams[] = [];
    server.use(
      http.get('*/api/admin/audit', ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query);
        return bareList(entries, request);
      }),
    );
    return asked;
  }

  it('says who did what, with what, and when', async () => {
    logged(
      anEntry(),
      anEntry({
        _id: 6,
        actor: null,
        action: 'user.grant_admin',
        subject: 'user:u-karim',
        details: { username: 'karim', ranBy: 'root@db1' },
      }),
      anEntry({ _id: 5, action: 'door.open', subject: 'door:1', details: {}, people: [] }),
    );
    renderAt('/admin/audit');
    const rows = within(await screen.findByRole('table', { name: 'Audit log' })).getAllByRole('row');
    expect(rows[1]).toHaveTextContent(/^Deal cancelled by an admin\s*nusrat.*480\.50.*Deal .*karim20 Nov, 10:00$/);
    expect(rows[2]).toHaveTextContent('User made an admin');
    expect(rows[2]).toHaveTextContent('the operatorroot@db1');
    expect(rows[3]).toHaveTextContent('door.opendoor:1');
  });

  it('opens an entry with all that was noted', async () => {
    logged(anEntry());
    const { user } = renderAt('/admin/audit');
    await user.click(await screen.findByRole('link', { name: 'Deal cancelled by an admin' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Deal cancelled by an admin' }));
    expect(await drawer.findByRole('link', { name: 'nusrat' })).toHaveAttribute('href', '/admin/users?review=u-nusrat');
    expect(drawer.getByText('$480.50')).toBeVisible();
    expect(drawer.getByText('{"new":true}')).toBeVisible();
    expect(drawer.queryByText('Reason')).toBeNull();
    expect(drawer.getByRole('link', { name: 'Open the deal' })).toBeVisible();
  });

  it('is filtered by action, subject, person and days, which the address keeps', async () => {
    const asked = logged(anEntry());
    server.use(http.get('*/api/admin/users/search', () => HttpResponse.json([aUser({ ...karim, email: 'karim@example.com' })])));
    const { user, router } = renderAt('/admin/audit?page=2');
    await user.selectOptions(await screen.findByLabelText('Action'), 'Deal cancelled by an admin');
    await user.type(screen.getByLabelText('Subject'), `${DEAL}{Enter}`);
    await user.type(screen.getByRole('combobox', { name: 'Who' }), 'kar');
    await user.click(await screen.findByRole('option', { name: /karim/ }));
    await user.click(screen.getByRole('button', { name: '15 days' }));
    const filter = { action: 'deal.cancel', subject: DEAL, actorId: karim._id };
    const startDate = expect.any(String) as string;
    await waitFor(() => expect(router.state.location.search).toEqual({ ...filter, days: 15 }));
    await waitFor(() => expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ ...filter, startDate, page: '1' }));
  });

  it('says so when nothing is found, and when it cannot be loaded', async () => {
    server.use(http.get('*/api/admin/audit', refusal(409, 'conflict', '')));
    const { user } = renderAt('/admin/audit');
    expect(await screen.findByText('Failed to fetch the audit log')).toBeVisible();
    logged();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No entries found.')).toBeVisible();
  });
});

const t: Translate<typeof adminRecords> = (key, ...args) => translate(adminRecords, key, ...args);

it('names every action that the server records', () => {
  const root = resolve(import.meta.dirname, '../../../../..');
  const recorded = ['internal', 'queue']
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.go') && !file.endsWith('_test.go') && !/\/store\w*\.go$/.test(file))
    .map((file) => readFileSync(resolve(root, file), 'utf8'))
    .filter((source) => source.includes('internal/app/audit"'))
    .flatMap((source) => [
      ...source.matchAll(
        /"((?:deposit|withdrawal|deal|support|report|user|operation|job|queue|pause|exchange_rate|chat|blobs)\.[a-z_]+)"/g,
      ),
    ])
    .map(([, action]) => action ?? '');
  expect(recorded).toContain('queue.pause');
  expect(recorded.filter((action) => !ACTIONS.some((known) => known === action))).toEqual([]);
});

it('says who ran a command', () => {
  expect(ranBy({ reason: 'a leak', ranBy: 'root@db1 (karim)' })).toBe('root@db1 (karim)');
  expect(ranBy({ ranBy: 7 })).toBe('');
});

it('says what was done with what', () => {
  expect(actionText(t, 'job.retry')).toBe('Job retried');
  expect(actionText(t, 'post.frame')).toBe('post.frame');
  expect(subjectText(t, 'deal:01a2041c-0a4b-7a53-8c25-1f8d4cce3406')).toBe('Deal 4cce-3406');
  expect(subjectText(t, 'job:417')).toBe('Job 417');
  expect(subjectText(t, 'queue:money')).toBe('Queue money');
  expect(subjectText(t, 'database')).toBe('Database');
  expect(actionText(t, 'database.migrate')).toBe('Database brought to a version');
});

it('has a name for every notification that the server sends to admins', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../../../../../internal/app/catalog/kinds.go'), 'utf8');
  const kinds = [...source.matchAll(/^\s+Admin\w+\s+Kind = "(\w+)"/gm)].map(([, kind]) => kind ?? '');
  expect(kinds).toContain('admin_credit');
  expect(kinds.filter((kind) => kindOf(kind) === OTHER_KIND)).toEqual([]);
});
