import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Block } from '@/api/contract';
import { applyBlock } from '@/entities/chat/cache';
import { readerId } from '@/entities/chat/queries';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { api, send, sendList } from '@/lib/api';
import { nextPage } from '@/lib/rows';

export type Blockable = { _id: string; username: string; isStaff: boolean };

export const relationQuery = (userId: string) =>
  queryOptions({
    queryKey: keys.relation(userId),
    queryFn: ({ signal }) => send(api.GET('/users/{id}/relation', { params: { path: { id: userId } }, signal })),
    // Without it, the server still refuses.
    meta: { quiet: true },
  });

function note(client: QueryClient, userId: string, block: Block): void {
  applyBlock(client, { userId, block }, readerId(client));
  client.setQueryData(keys.relation(userId), { block });
  void client.invalidateQueries({ queryKey: keys.relation(userId) });
  void client.invalidateQueries({ queryKey: keys.blocked });
}

/** Blocks or unblocks a user. Idempotent. */
export function useBlock({ _id, username }: Pick<Blockable, '_id' | 'username'>) {
  const queryClient = useQueryClient();
  const params = { path: { id: _id } };
  const name = username;
  const block = useMutation({
    mutationFn: () => send(api.POST('/users/{id}/block', { params })),
    meta: {
      success: () => translate(moderation, 'block.done', { name }),
      fallback: () => translate(moderation, 'block.failed'),
    },
    onSuccess: () => note(queryClient, _id, 'mine'),
  });
  const unblock = useMutation({
    mutationFn: () => send(api.DELETE('/users/{id}/block', { params })),
    meta: {
      success: () => translate(moderation, 'block.undone', { name }),
      fallback: () => translate(moderation, 'unblock.failed'),
    },
    // They may have blocked the reader, too; the next response tells.
    onSuccess: () => note(queryClient, _id, 'none'),
  });
  return { block, unblock };
}

export const BLOCKED_PAGE = 20;

export const blockedQuery = infiniteQueryOptions({
  queryKey: keys.blocked,
  queryFn: ({ pageParam: page, signal }) =>
    sendList(api.GET('/users/blocked', { params: { query: { page, limit: BLOCKED_PAGE } }, signal })),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  meta: { quiet: true },
});
