import { type Period, periodSearch } from '@/lib/period-search';
import { type ListSearch, listSearch } from '../queue/list-search';

/** The address of the audit log: who, what, about what and when; `review` is the entry whose drawer is open. */
export type AuditSearch = ListSearch & Period & { actorId?: string; action?: string; subject?: string };

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);
  const actorId = text(search.actorId);
  const action = text(search.action);
  const subject = text(search.subject);
  return {
    ...listSearch(search),
    ...periodSearch(search),
    ...(actorId ? { actorId } : {}),
    ...(action ? { action } : {}),
    ...(subject ? { subject } : {}),
  };
}
