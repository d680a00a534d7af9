import type { QueryClient } from '@tanstack/react-query';
import type { Block, Conversation } from '@/api/contract';
import { chatKeys } from './keys';
import { otherParticipant } from './participants';
import type { Inbox } from './reducers';

/**
 * Shows a block between the two at once. When one is lifted, other rules still decide whether
 * messages are allowed, so the conversation waits for the server.
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
