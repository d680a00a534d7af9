import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { Notification, ServerFrame, User } from '@/api/contract';
import { announceMessage, applyMessageRead, applyNewMessage } from '@/entities/chat/apply-events';
import { applyBlock } from '@/entities/chat/cache';
import { isRemoved } from '@/entities/deal/queries';
import { keys } from '@/entities/keys';
import { addNotification } from '@/entities/notification/queries';
import { operationSettled } from '@/entities/wallet/operations';
import { perClient } from '@/lib/per-client';
import { noteTyping, setOnline } from '@/lib/realtime/live';
import type { Queue, ServerEvents } from '@/lib/realtime/parse';
import { writeThrough } from '@/lib/write-through';

/** At most one refresh per interval, because one transaction causes several events. */
const REFRESH_INTERVAL = 250;

const waitingOf = perClient(() => new Map<string, QueryKey>());

/**
 * Invalidates a key. A new request replaces one already in flight, except the first one of a query.
 * Its response may be older than the event, so the query is invalidated again once it has arrived.
 */
function refetch(queryClient: QueryClient, queryKey: QueryKey): void {
  const isFirst = ({ state }: Query) => state.data === undefined;
  const first = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: isFirst });
  void queryClient.invalidateQueries({ queryKey });
  for (const query of first) {
    const again = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(again, () => undefined);
  }
}

function refresh(queryClient: QueryClient): void {
  const waiting = waitingOf(queryClient);
  const keys = [...waiting.values()];
  waiting.clear();
  for (const queryKey of keys) refetch(queryClient, queryKey);
}

/** Invalidates the keys; active queries refetch now, others when used. */
function invalidate(queryClient: QueryClient, ...keys: readonly QueryKey[]): void {
  const waiting = waitingOf(queryClient);
  if (waiting.size === 0) setTimeout(() => refresh(queryClient), REFRESH_INTERVAL);
  for (const key of keys) waiting.set(hashKey(key), key);
}

/** Keys to invalidate for a change in a queue of the admins. */
const QUEUES: Record<Queue, (id: string) => readonly QueryKey[]> = {
  deposits: () => [keys.adminDeposits],
  withdrawals: () => [keys.adminWithdrawals],
  // A deal's clock stops while a request is open.
  support: () => [keys.adminSupport, keys.adminDeals, keys.deals],
  deals: (id) => [keys.adminDeals, keys.deal(id)],
  'bug-reports': () => [keys.adminBugReports],
  'contact-messages': () => [keys.adminContactMessages],
  users: () => [keys.adminUsers],
  disputes: (id) => [keys.adminDisputes, keys.dispute(id)],
  corrections: () => [keys.adminCorrections],
  // The evidence of a deposit says whether the account's SMS add up.
  payments: () => [keys.adminPayments, keys.adminDeposits],
  // A decision disables accounts.
  reports: () => [keys.adminReports, keys.adminUsers],
};

/** Keys to invalidate for a notification that has no event of its own. */
function keysChangedBy(kind: Notification['kind']): readonly QueryKey[] {
  // The dashboard counts it in the score and the reviews.
  if (kind === 'review_received') return [keys.dashboard];
  if (kind.startsWith('report_')) return [keys.reports];
  if (kind.startsWith('saved_post_')) return [keys.posts];
  // A decision hides an owner's posts and profile, and an appeal restores them.
  return kind.startsWith('moderation_') ? [keys.decisions, keys.posts, keys.profiles] : [];
}

const nothing = () => undefined;

const me = (queryClient: QueryClient) => queryClient.getQueryData<User | null>(keys.me)?._id ?? '';

/** The effect of each type of frame; `sentAt` is the time of sending. */
const HANDLERS: { [T in keyof ServerEvents]: (queryClient: QueryClient, data: ServerEvents[T], sentAt: string) => void } = {
  dealUpdated: (queryClient, { _id }) =>
    invalidate(
      queryClient,
      ...(isRemoved(queryClient, _id) ? [] : [keys.deal(_id), keys.dealProof(_id)]),
      ...[keys.dealList, keys.invites, keys.dashboard, keys.dealsBetween, keys.disputes],
    ),
  walletUpdated: (queryClient) =>
    invalidate(queryClient, keys.wallet, keys.me, keys.deposits, keys.withdrawals, keys.referralStats),
  operationSettled,
  newDepositNotification: (queryClient, { notification }) => {
    addNotification(queryClient, notification);
    invalidate(queryClient, keys.adminNotifications, ...keysChangedBy(notification.kind));
  },
  dataExportReady: (queryClient, made) => void writeThrough(queryClient, keys.dataExport, () => made),
  queueChanged: (queryClient, { queue, id }) => {
    // A later server may send an unknown queue.
    if (Object.hasOwn(QUEUES, queue)) invalidate(queryClient, ...QUEUES[queue](id));
  },
  getOnlineUsers: (_queryClient, userIds) => setOnline(userIds),
  typing: (_queryClient, { conversationId }) => noteTyping(conversationId),
  newMessage: (queryClient, data, sentAt) => {
    applyNewMessage(queryClient, data, me(queryClient));
    announceMessage(data, sentAt, me(queryClient));
  },
  messageRead: (queryClient, data) => applyMessageRead(queryClient, data, me(queryClient)),
  blockChanged: (queryClient, data) => {
    applyBlock(queryClient, data, me(queryClient));
    invalidate(queryClient, keys.relation(data.userId), keys.blocked);
  },
  // newMessage has the same data and is replayed.
  receiveMessage: nothing,
  // Handled by the socket.
  hello: nothing,
  pong: nothing,
  // One of our frames was refused, which equals its loss.
  problem: nothing,
};

/** Writes a frame of the socket into the cache. Idempotent. */
export function apply(queryClient: QueryClient, { type, data, ts }: ServerFrame): void {
  // The compiler cannot match type and data through the table.
  (HANDLERS[type] as (queryClient: QueryClient, data: unknown, sentAt: string) => void)(queryClient, data, ts);
}

/** Events were missed: invalidates everything. */
export function applyGap(queryClient: QueryClient): void {
  refetch(queryClient, []);
}
