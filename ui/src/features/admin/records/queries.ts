import type { AuditEntry } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import { daysOf } from '@/lib/period';
import type { AuditSearch } from '../admin-search';
import { inDays, listQuery, POLL } from '../queue/list-query';

export const sentNotificationsQuery = ({ page }: { page?: number }) =>
  listQuery({
    key: keys.adminNotifications,
    page,
    load: (query, signal) => sendList(api.GET('/admin/notifications', { params: { query }, signal })),
  });

/** An entry of the audit log with its number as a string id. */
export type Entry = Omit<AuditEntry, '_id'> & { _id: string };

export const auditQuery = ({ page, actorId, action, subject, ...period }: AuditSearch) => {
  const choice = {
    ...(actorId ? { actorId } : {}),
    ...(action ? { action } : {}),
    ...(subject ? { subject } : {}),
    ...inDays(daysOf(period)),
  };
  return listQuery({
    key: ['admin', 'audit'],
    choice,
    page,
    refetchInterval: POLL,
    load: async (paged, signal) => {
      const query = { ...choice, ...paged };
      const { rows, total } = await sendList(api.GET('/admin/audit', { params: { query }, signal }));
      return { rows: rows.map((entry) => ({ ...entry, _id: String(entry._id) })), total };
    },
  });
};
