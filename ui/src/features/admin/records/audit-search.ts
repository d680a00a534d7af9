import { invalidRange, PERIOD } from '@/lib/period-search';
import { type SearchOf, searchParams, text } from '@/lib/search-params';
import { LIST } from '../queue/list-search';

export const auditSearch = searchParams({ ...LIST, ...PERIOD, actorId: text, action: text, subject: text }, invalidRange);
export type AuditSearch = SearchOf<typeof auditSearch>;
