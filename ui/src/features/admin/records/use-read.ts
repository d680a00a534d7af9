import { useMutation } from '@tanstack/react-query';
import { api, send } from '@/lib/api';
import { keys } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

/** Marks one notification as read, or all that the admin has. */
export function useRead() {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: keys.adminNotifications });
  const one = useMutation({
    mutationFn: (id: string) => send(api.PATCH('/notifications/{id}/read', { params: { path: { id } }, body: { isRead: true } })),
    // It stays unread then, which the list shows; the page it leads to is what counts.
    meta: { quiet: true },
    onSettled,
  });
  const all = useMutation({ mutationFn: () => send(api.POST('/notifications/mark-all-as-read')), onSettled });
  return { one: (id: string) => one.mutate(id), all: () => all.mutate(), busy: all.isPending };
}
