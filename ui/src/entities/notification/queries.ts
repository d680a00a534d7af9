import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Notification, Notifications } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { writeThrough } from '@/lib/write-through';

const PAGE_SIZE = 10;
const POLL = 15_000;

type Pages = InfiniteData<Notifications>;

// The panel shows failures itself, without a toast (docs/rules.md#failures).
const meta = { quiet: true };

export const notificationsQuery = infiniteQueryOptions({
  queryKey: keys.notifications,
  queryFn: ({ pageParam, signal }) =>
    send(api.GET('/notifications', { params: { query: { page: pageParam, limit: PAGE_SIZE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
  meta,
});

/** The bell's dot. Polled every 15 seconds even with a socket (docs/rules.md#timings). */
export const unreadNotificationsQuery = queryOptions({
  queryKey: keys.unreadNotifications,
  queryFn: async ({ signal }) => (await send(api.GET('/notifications/unread-status', { signal }))).hasUnread,
  refetchInterval: POLL,
  meta,
});

/** The loaded rows without duplicates: pages shift as notifications arrive. */
export function notificationRows(pages: Pages): Notification[] {
  const rows = pages.pages.flatMap(({ notifications }) => notifications);
  return [...new Map(rows.map((row) => [row._id, row])).values()];
}

function setUnread(queryClient: QueryClient, unread: boolean): void {
  // A response in flight is older.
  void queryClient.cancelQueries({ queryKey: keys.unreadNotifications });
  queryClient.setQueryData(keys.unreadNotifications, unread);
}

export function clearUnread(queryClient: QueryClient): void {
  setUnread(queryClient, false);
}

/**
 * Sets the dot from the loaded list; if none of it is unread and more exists, the server decides.
 */
export function recountUnread(queryClient: QueryClient, pages: Pages): void {
  const unread = notificationRows(pages).some(({ isRead }) => !isRead);
  const last = pages.pages.at(-1);
  if (unread || !last || last.page >= last.pages) setUnread(queryClient, unread);
  else void queryClient.invalidateQueries({ queryKey: keys.unreadNotifications });
}

function withNew(pages: Pages, notification: Notification): Pages {
  const [first, ...rest] = pages.pages;
  if (!first || notificationRows(pages).some(({ _id }) => _id === notification._id)) return pages;
  return { ...pages, pages: [{ ...first, notifications: [notification, ...first.notifications] }, ...rest] };
}

/** Sets the dot and prepends a new notification to the loaded list. Idempotent. */
export function addNotification(queryClient: QueryClient, notification: Notification): void {
  const before = queryClient.getQueryData<Pages>(keys.notifications);
  const now = writeThrough<Pages>(queryClient, keys.notifications, (pages) => withNew(pages, notification));
  if ((before && now === before) || notification.isRead) return;
  setUnread(queryClient, true);
}

function showRead(queryClient: QueryClient, isIt: (row: Notification) => boolean): void {
  const read = (row: Notification) => (isIt(row) ? { ...row, isRead: true } : row);
  const now = writeThrough<Pages>(queryClient, keys.notifications, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, notifications: page.notifications.map(read) })),
  }));
  if (now) recountUnread(queryClient, now);
  else void queryClient.invalidateQueries({ queryKey: keys.unreadNotifications });
}

const refreshAdminList = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: keys.adminNotifications });

export function useMarkRead() {
  const queryClient = useQueryClient();
  const show = (id: string) => showRead(queryClient, ({ _id }) => _id === id);
  return useMutation({
    mutationFn: (id: string) => send(api.PATCH('/notifications/{id}/read', { params: { path: { id } }, body: { isRead: true } })),
    meta,
    onMutate: show,
    // A list loaded meanwhile may lack the change.
    onSuccess: (_answer, id) => show(id),
    onError: () => void queryClient.invalidateQueries({ queryKey: keys.notifications }),
    onSettled: () => refreshAdminList(queryClient),
  });
}

export function useMarkAllRead() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/notifications/mark-all-as-read')),
    onSuccess: () => {
      showRead(queryClient, () => true);
      clearUnread(queryClient);
    },
    onSettled: () => refreshAdminList(queryClient),
  });
}
