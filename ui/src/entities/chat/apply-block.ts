import type { QueryClient } from '@tanstack/react-query';
import type { Block, Conversation } from '@/api/contract';
import { chatKeys } from './keys';
import { otherParticipant } from './participants';
import type { Inbox } from './reducers';

/**
 * One of the two blocked the other, which the conversation says right away, or no longer does. Without a block whether it can be written to depends
 * on more than that, so the conversation stays as it was until the server has said.
 */
export function applyBlock(client: QueryClient, { userId, block }: { userId: string; block: Block }, meId: string): void {
  if (block !== 'none') showBlock(client, userId, block, meId);
  void client.invalidateQueries({ queryKey: chatKeys.ones });
  void client.invalidateQueries({ queryKey: chatKeys.list });
}

function showBlock(client: QueryClient, userId: string, block: Block, meId: string): void {
  const changed = (one: Conversation): Conversation =>
    otherParticipant(one, meId)._id === userId ? { ...one, block, writable: false } : one;
  client.setQueriesData<Conversation>({ queryKey: chatKeys.ones }, (one) => one && changed(one));
  client.setQueryData<Inbox>(
    chatKeys.list,
    (inbox) => inbox && { ...inbox, pages: inbox.pages.map((page) => ({ ...page, rows: page.rows.map(changed) })) },
  );
}
