import { queryOptions } from '@tanstack/react-query';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { pollEvery } from '@/lib/realtime/live';

export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: ({ signal }) => send(api.GET('/auth/sessions', { signal })),
  meta: { quiet: true },
});

export const activityQuery = queryOptions({
  queryKey: keys.activity,
  queryFn: ({ signal }) => send(api.GET('/auth/activity', { signal })),
  meta: { quiet: true },
});

const WHILE_PREPARING = 10_000;

/**
 * The latest copy of one's data, or null. Polled while it is being made, in case its event is lost.
 */
export const dataExportQuery = queryOptions({
  queryKey: keys.dataExport,
  queryFn: ({ signal }) => send(api.GET('/auth/data-export', { signal })),
  refetchInterval: ({ state }) => (state.data?.export?.status === 'pending' ? pollEvery(WHILE_PREPARING) : false),
  meta: { quiet: true },
});

export const closingQuery = queryOptions({
  queryKey: ['account', 'closing'] as const,
  queryFn: ({ signal }) => send(api.GET('/auth/close', { signal })),
  // A deal may end at any time, here or elsewhere.
  staleTime: 0,
  meta: { quiet: true },
});
