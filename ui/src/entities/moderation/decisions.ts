import { queryOptions } from '@tanstack/react-query';
import type { Decision } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';

export const decisionQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.decisions, id] as const,
    queryFn: ({ signal }) => send(api.GET('/decisions/{id}', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });

/** Sends an appeal and returns the updated decision. Readers of a mailed link need no login. */
export type SendAppeal = (text: string) => Promise<{ decision: Decision }>;
