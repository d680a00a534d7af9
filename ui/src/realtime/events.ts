import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Notification, ServerFrame, User } from '@/api/contract';
import { announceMessage } from '@/entities/chat/announce-message';
import { applyBlock } from '@/entities/chat/apply-block';
import { applyMessageRead, applyNewMessage } from '@/entities/chat/apply-events';
import { isRemoved } from '@/entities/deal/removals';
import { keys } from '@/entities/keys';
import { addNotification } from '@/entities/notification/queries';
import { operationSettled } from '@/entities/wallet/operations';
import type { Queue, ServerEvents } from '@/lib/realtime/frames';
import { noteTyping, setOnline } from '@/lib/realtime/live';
import { writeThrough } from '@/lib/write-through';
import { invalidate } from './invalidate';

/** What a change in one of the admins' queues makes untrue. */
const QUEUES: Record<Queue, (id: string) => readonly QueryKey[]> = {
  deposits: () => [keys.adminDeposits],
  withdrawals: () => [keys.adminWithdrawals],
  // A deal's clock stands still while a request is open.
  support: () => [keys.adminSupport, keys.adminDeals, keys.deals],
  deals: (id) => [keys.adminDeals, keys.deal(id)],
  'bug-reports': () => [keys.adminBugReports],
  'contact-messages': () => [keys.adminContactMessages],
  users: () => [keys.adminUsers],
  disputes: (id) => [keys.adminDisputes, keys.dispute(id)],
  adjustments: () => [keys.adminAdjustments],
  // A decision disables accounts.
  reports: () => [keys.adminReports, keys.adminUsers],
};

/** What a notification makes untrue that has no event of its own. */
function told(kind: Notification['kind']): readonly QueryKey[] {
  // The score and the reviews of the dashboard count it.
  if (kind === 'review_received') return [keys.dashboard];
  if (kind.startsWith('report_')) return [keys.reports];
  // A decision hides what its owner sees as their own, and an appeal brings it back.
  return kind.startsWith('moderation_') ? [keys.decisions, keys.posts, keys.profiles] : [];
}

const nothing = () => undefined;

/** Whose events these are. */
const me = (queryClient: QueryClient) => queryClient.getQueryData<User | null>(keys.me)?._id ?? '';

/** What is done with each type of frame; `sentAt` is when it was sent. */
const WRITE: { [T in keyof ServerEvents]: (queryClient: QueryClient, data: ServerEvents[T], sentAt: string) => void } = {
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
    invalidate(queryClient, keys.adminNotifications, ...told(notification.kind));
  },
  dataExportReady: (queryClient, made) => void writeThrough(queryClient, keys.dataExport, () => made),
  queueChanged: (queryClient, { queue, id }) => {
    // One of a later version may be unknown here.
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
  // The socket's own.
  hello: nothing,
  pong: nothing,
  // A frame of ours that was refused; it could have been lost as well.
  problem: nothing,
};

/** The one place that writes what the socket tells into what the page has loaded. It may be told the same twice. */
export function apply(queryClient: QueryClient, { type, data, ts }: ServerFrame): void {
  // The frame's type and data belong together, which the compiler cannot follow through the table.
  (WRITE[type] as (queryClient: QueryClient, data: unknown, sentAt: string) => void)(queryClient, data, ts);
}

/** Events were missed: everything on the page is asked for again. */
export function applyGap(queryClient: QueryClient): void {
  void queryClient.invalidateQueries();
}
