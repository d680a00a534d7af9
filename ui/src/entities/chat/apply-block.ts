import type { QueryClient } from '@tanstack/react-query';
import type { Block, Conversation } from '@/api/contract';
import { chatKeys } from './keys';
import { otherParticipant } from './participants';
import type { Inbox } from './reducers';

/**
 * One of the two blocked the other, or no longer does. The conversation says right away that it is blocked; that it no longer is, it says once it has
 * been asked for again, since whether it can be written to depends on more than the block.
 */
export function applyBlock(client: QueryClient, { userId, block }: { userId: string; block: Block }, meId: string): void {
  if (block !== 'none') {
    const changed = (one: Conversation): Conversation =>
      otherParticipant(one, meId)._id === userId ? { ...one, block, writable: false } : one;
    client.setQueriesData<Conversation>({ queryKey: chatKeys.ones }, (one) => one && changed(one));
    client.setQueryData<Inbox>(
      chatKeys.list,
      (inbox) => inbox && { ...inbox, pages: inbox.pages.map((page) => ({ ...page, rows: page.rows.map(changed) })) },
    );
  }
  void client.invalidateQueries({ queryKey: chatKeys.ones });
  void client.invalidateQueries({ queryKey: chatKeys.list });
}
