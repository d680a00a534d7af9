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

/** Rows a page. */
const PAGE_SIZE = 10;
const POLL = 15_000;

type Pages = InfiniteData<Notifications>;

// Failures raise no toast; the panel shows its own in its place (docs/rules.md#failures).
const meta = { quiet: true };

/** Everything the user was notified of, newest first, page by page. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: keys.notifications,
  queryFn: ({ pageParam, signal }) =>
    send(api.GET('/notifications', { params: { query: { page: pageParam, limit: PAGE_SIZE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
  meta,
});

/** Whether the bell has its dot. Asked for every 15 seconds, whatever the socket tells (docs/rules.md#timings). */
export const unreadNotificationsQuery = queryOptions({
  queryKey: keys.unreadNotifications,
  queryFn: async ({ signal }) => (await send(api.GET('/notifications/unread-status', { signal }))).hasUnread,
  refetchInterval: POLL,
  meta,
});

/** The rows of all pages, each once: pages shift when something arrives between their loads. */
export function notificationRows(pages: Pages): Notification[] {
  const rows = pages.pages.flatMap(({ notifications }) => notifications);
  return [...new Map(rows.map((row) => [row._id, row])).values()];
}

function setUnread(queryClient: QueryClient, unread: boolean): void {
  // What is still on its way was asked before.
  void queryClient.cancelQueries({ queryKey: keys.unreadNotifications });
  queryClient.setQueryData(keys.unreadNotifications, unread);
}

/** The panel opens: its dot is cleared. */
export function clearUnread(queryClient: QueryClient): void {
  setUnread(queryClient, false);
}

/** The dot as the loaded list has it. Where only a part is loaded and all of it is read, the server knows. */
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

/** A notification that has just come: the dot, and on top of the list where that is loaded. One that is there already changes nothing. */
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

/** Marks one notification as read. */
export function useMarkRead() {
  const queryClient = useQueryClient();
  const show = (id: string) => showRead(queryClient, ({ _id }) => _id === id);
  return useMutation({
    mutationFn: (id: string) => send(api.PATCH('/notifications/{id}/read', { params: { path: { id } }, body: { isRead: true } })),
    meta,
    onMutate: show,
    // What was loaded meanwhile may not know it yet.
    onSuccess: (_answer, id) => show(id),
    onError: () => void queryClient.invalidateQueries({ queryKey: keys.notifications }),
    onSettled: () => refreshAdminList(queryClient),
  });
}

/** Marks them all as read. */
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
