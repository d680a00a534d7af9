import { queryOptions } from '@tanstack/react-query';
import type { AuditEntry } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import { daysOf } from '@/lib/period';
import { inDays, keepChoice, POLL, pollQueue, QUEUE_PAGE_SIZE } from '../queue/queries';
import type { AuditSearch } from './audit-search';

// The pages say it themselves, in their place.
const meta = { quiet: true };

/** A page of what the admin was notified of as an admin, newest first. */
export const sentNotificationsQuery = (page: number) =>
  queryOptions({
    queryKey: [...keys.adminNotifications, page],
    queryFn: ({ signal }) =>
      sendList(api.GET('/admin/notifications', { params: { query: { page, limit: QUEUE_PAGE_SIZE } }, signal })),
    refetchInterval: pollQueue,
    placeholderData: keepChoice('notifications'),
    meta,
  });

/** An entry of the audit log; its number is an id like any other here. */
export type Entry = Omit<AuditEntry, '_id'> & { _id: string };

/** A page of the audit log that an address chooses, newest first. */
export const auditQuery = ({ page = 1, actorId, action, subject, ...period }: AuditSearch) => {
  const filter = {
    ...(actorId ? { actorId } : {}),
    ...(action ? { action } : {}),
    ...(subject ? { subject } : {}),
    ...inDays(daysOf(period)),
  };
  return queryOptions({
    queryKey: ['admin', 'audit', filter, page],
    queryFn: async ({ signal }) => {
      const query = { ...filter, page, limit: QUEUE_PAGE_SIZE };
      const { rows, total } = await sendList(api.GET('/admin/audit', { params: { query }, signal }));
      return { rows: rows.map((entry) => ({ ...entry, _id: String(entry._id) })), total };
    },
    refetchInterval: POLL,
    placeholderData: keepChoice(filter),
    meta,
  });
};
