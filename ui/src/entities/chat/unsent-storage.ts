import { storeForTab, UNSENT } from '@/lib/storage';

/**
 * A message on its way. `key` names it to the server, so that sending it again does not write it twice. `at` is when it was written, by the
 * server's clock.
 */
export type Outgoing = { key: string; conversationId: string; senderId: string; text: string; image: string; at: number };

const placeOf = (senderId: string, conversationId: string): string => `${UNSENT}${senderId}:${conversationId}:`;
const nameOf = ({ senderId, conversationId, key }: Outgoing): string => `${placeOf(senderId, conversationId)}${key}`;

/** Keeps a message through a reload of this tab until it is known to have arrived. Other tabs and other users have their own. */
export function storeUnsent(outgoing: Outgoing): void {
  try {
    storeForTab(nameOf(outgoing), outgoing);
  } catch {
    // No storage, or too large a picture: it lives as long as the page.
  }
}

export function dropUnsent(outgoing: Outgoing): void {
  try {
    sessionStorage.removeItem(nameOf(outgoing));
  } catch {
    // Nothing was kept then.
  }
}

/** The messages of a conversation that this tab has kept, in the order they were written. */
export function unsentOf(senderId: string, conversationId: string): Outgoing[] {
  try {
    const place = placeOf(senderId, conversationId);
    return Object.keys(sessionStorage)
      .filter((name) => name.startsWith(place))
      .map((name) => JSON.parse(sessionStorage.getItem(name) ?? '') as Outgoing)
      .sort((one, other) => one.at - other.at);
  } catch {
    return [];
  }
}
