import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Notification, ServerFrame } from '@/api/contract';
import { markRemoval, unmarkRemoval } from '@/entities/deal/queries';
import { keys } from '@/entities/keys';
import type { ServerEvents } from '@/lib/realtime/parse';
import { queryClient } from '@/testing/query-client';
import { apply, applyGap } from './events';

const frame = <T extends keyof ServerEvents>(type: T, data: ServerEvents[T]): ServerFrame =>
  // The type and its data come from one table.
  ({ v: 1, id: 'f-1', type, ts: '2026-11-20T10:00:00Z', data }) as unknown as ServerFrame;

const tell = <T extends keyof ServerEvents>(type: T, data: ServerEvents[T]) => apply(queryClient, frame(type, data));
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Caches something under each key; the result lists the invalidated ones. */
function loaded(...all: (readonly string[])[]) {
  for (const key of all) queryClient.setQueryData(key, {});
  return () => all.filter((key) => queryClient.getQueryState(key)?.isInvalidated).map((key) => key.join(' '));
}

const notice = (id: string, over: Partial<Notification> = {}): Notification => ({
  ...{ _id: id, kind: 'deal_paid', message: `Notice ${id}`, link: '/deal/d-1' },
  ...{ isRead: false, createdAt: '2026-11-20T10:00:00Z', ...over },
});

/** A notification of a kind invalidates these keys beside the admins' list. */
const row = (kind: Notification['kind'], ...untrue: string[]): [string, () => void, string[]] => [
  `a notification of ${kind}`,
  () => tell('newDepositNotification', { notification: notice('n-1', { kind }) }),
  [...untrue, 'admin notifications 1'],
];

const MODERATED = ['posts mine', 'profiles nusrat', 'decisions dec-1'];

const EVERYTHING = [
  keys.me,
  keys.wallet,
  keys.dealList,
  keys.deal('d-1'),
  keys.deal('d-2'),
  [...keys.dashboard, 'lifetime'],
  [...keys.dealsBetween, 'u-1', 'u-2'],
  keys.dispute('x-1'),
  [...keys.deposits, '1'],
  [...keys.withdrawals, '1'],
  keys.referralStats,
  [...keys.posts, 'mine'],
  [...keys.profiles, 'nusrat'],
  [...keys.reports, 'mine'],
  [...keys.decisions, 'dec-1'],
  [...keys.adminDeposits, 'waiting'],
  [...keys.adminWithdrawals, 'waiting'],
  [...keys.adminDeals, 'count'],
  [...keys.adminDisputes, 'waiting'],
  [...keys.adminPayments, 'accounts'],
  [...keys.adminCorrections, 'waiting'],
  [...keys.adminSupport, 'open'],
  [...keys.adminBugReports, '1'],
  [...keys.adminContactMessages, '1'],
  [...keys.adminNotifications, '1'],
];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what an event makes untrue', () => {
  it.each([
    [
      'a deal',
      () => tell('dealUpdated', { _id: 'd-1', status: 'Delivered' }),
      ['deals mine', 'deals one d-1', 'deals standing lifetime', 'deals between u-1 u-2', 'deals disputes x-1'],
    ],
    ['a notification', () => tell('newDepositNotification', { notification: notice('n-1') }), ['admin notifications 1']],
    [
      'a notification of a review',
      () => tell('newDepositNotification', { notification: notice('n-1', { kind: 'review_received' }) }),
      ['deals standing lifetime', 'admin notifications 1'],
    ],
    row('report_action_taken', 'reports mine'),
    row('report_no_violation', 'reports mine'),
    row('moderation_warned', ...MODERATED),
    row('moderation_hidden', ...MODERATED),
    row('moderation_upheld', ...MODERATED),
    row('moderation_overturned', ...MODERATED),
    row('moderation_suspension_ended', ...MODERATED),
    [
      'the wallet',
      () => tell('walletUpdated', { at: '2026-11-20T10:00:00Z' }),
      ['session me', 'wallet', 'deposits 1', 'withdrawals 1', 'referral stats'],
    ],
    ['the deposits', () => tell('queueChanged', { queue: 'deposits', id: 'x' }), ['admin deposits waiting']],
    ['the withdrawals', () => tell('queueChanged', { queue: 'withdrawals', id: 'x' }), ['admin withdrawals waiting']],
    [
      'the support requests',
      () => tell('queueChanged', { queue: 'support', id: 'x' }),
      [
        ...['deals mine', 'deals one d-1', 'deals one d-2', 'deals standing lifetime', 'deals between u-1 u-2'],
        ...['deals disputes x-1', 'admin deals count', 'admin support open'],
      ],
    ],
    ['the deals to decide', () => tell('queueChanged', { queue: 'deals', id: 'd-2' }), ['deals one d-2', 'admin deals count']],
    [
      'the disputes',
      () => tell('queueChanged', { queue: 'disputes', id: 'x-1' }),
      ['deals disputes x-1', 'admin disputes waiting'],
    ],
    ['the corrections', () => tell('queueChanged', { queue: 'corrections', id: 'x' }), ['admin corrections waiting']],
    [
      'the payments',
      () => tell('queueChanged', { queue: 'payments', id: 'x' }),
      ['admin deposits waiting', 'admin payments accounts'],
    ],
    ['the bug reports', () => tell('queueChanged', { queue: 'bug-reports', id: 'x' }), ['admin bug-reports 1']],
    ['the contact messages', () => tell('queueChanged', { queue: 'contact-messages', id: 'x' }), ['admin contact-messages 1']],
  ])('is %s, and no more', async (_name, event, expected) => {
    const untrue = loaded(...EVERYTHING);
    event();
    await pass(250);
    expect(untrue()).toEqual(expected);
  });

  it('does not include a deal that this page is removing, unless that fails', async () => {
    const untrue = loaded(...EVERYTHING);
    markRemoval(queryClient, 'd-1');
    tell('dealUpdated', { _id: 'd-1', status: 'Pending' });
    await pass(250);
    expect(untrue()).toEqual(['deals mine', 'deals standing lifetime', 'deals between u-1 u-2', 'deals disputes x-1']);
    unmarkRemoval(queryClient, 'd-1');
    tell('dealUpdated', { _id: 'd-1', status: 'Pending' });
    await pass(250);
    expect(untrue()).toContain('deals one d-1');
  });

  it('is nothing with a queue of a later version', async () => {
    const untrue = loaded(...EVERYTHING);
    apply(queryClient, frame('queueChanged', { queue: 'toString' as 'users', id: 'x' }));
    await pass(250);
    expect(untrue()).toEqual([]);
  });

  it('is asked for once, however many events come together', async () => {
    const asked = vi.fn(() => Promise.resolve({}));
    const stop = new QueryObserver(queryClient, { queryKey: keys.wallet, queryFn: asked }).subscribe(() => undefined);
    await pass(0);
    expect(asked).toHaveBeenCalledTimes(1);
    for (let i = 0; i < 20; i++) tell('walletUpdated', { at: '2026-11-20T10:00:00Z' });
    await pass(249);
    expect(asked).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(asked).toHaveBeenCalledTimes(2);
    tell('walletUpdated', { at: '2026-11-20T10:00:00Z' });
    await pass(250);
    expect(asked).toHaveBeenCalledTimes(3);
    stop();
  });

  it('is asked for again when its first response may be older', async () => {
    const responses: ((value: string) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => responses.push(resolve));
    const observer = new QueryObserver<string>(queryClient, { queryKey: keys.wallet, queryFn });
    const unsubscribe = observer.subscribe(() => undefined);
    tell('walletUpdated', { at: '2026-11-20T10:00:00Z' });
    await pass(250);
    expect(responses).toHaveLength(1);
    responses[0]?.('before');
    await pass(0);
    responses[1]?.('after');
    await pass(0);
    expect(observer.getCurrentResult().data).toBe('after');
    expect(responses).toHaveLength(2);
    unsubscribe();
  });

  it('is everything when events were missed', () => {
    const untrue = loaded(...EVERYTHING);
    applyGap(queryClient);
    expect(untrue()).toHaveLength(EVERYTHING.length);
  });
});

describe('a notification', () => {
  const page = (...notifications: Notification[]) => ({ success: true, notifications, page: 1, pages: 1, total: 1 });
  const listed = () =>
    queryClient
      .getQueryData<{ pages: { notifications: Notification[] }[] }>(keys.notifications)
      ?.pages.map((one) => one.notifications.map(({ _id }) => _id));

  it('sets the dot, and stands on top of the list once', () => {
    queryClient.setQueryData(keys.unreadNotifications, false);
    queryClient.setQueryData(keys.notifications, { pages: [page(notice('n-2')), page(notice('n-1'))], pageParams: [1, 2] });
    tell('newDepositNotification', { notification: notice('n-3') });
    tell('newDepositNotification', { notification: notice('n-3') });
    tell('newDepositNotification', { notification: notice('n-1') });
    expect(listed()).toEqual([['n-3', 'n-2'], ['n-1']]);
    expect(queryClient.getQueryData(keys.unreadNotifications)).toBe(true);
  });

  it('only sets the dot while the list is not loaded', () => {
    tell('newDepositNotification', { notification: notice('n-3') });
    expect(listed()).toBeUndefined();
    expect(queryClient.getQueryData(keys.unreadNotifications)).toBe(true);
  });

  it('that comes again after it was read sets no dot', () => {
    queryClient.setQueryData(keys.unreadNotifications, false);
    queryClient.setQueryData(keys.notifications, { pages: [page(notice('n-3', { isRead: true }))], pageParams: [1] });
    tell('newDepositNotification', { notification: notice('n-3') });
    expect(queryClient.getQueryData(keys.unreadNotifications)).toBe(false);
  });
});
