import { storeForTab, UNSENT } from '@/lib/storage';

/** The server accepts a message once per `key`; `at` is the time of writing by its clock. */
export type Outgoing = { key: string; conversationId: string; senderId: string; text: string; image: string; at: number };

const placeOf = (senderId: string, conversationId: string): string => `${UNSENT}${senderId}:${conversationId}:`;
const nameOf = ({ senderId, conversationId, key }: Outgoing): string => `${placeOf(senderId, conversationId)}${key}`;

/** Stores a message for a reload of this tab, until it is known to have arrived. */
export function storeUnsent(outgoing: Outgoing): void {
  try {
    storeForTab(nameOf(outgoing), outgoing);
  } catch {
    // No storage, or the picture is too large: a reload loses it.
  }
}

export function dropUnsent(outgoing: Outgoing): void {
  try {
    sessionStorage.removeItem(nameOf(outgoing));
  } catch {
    // Nothing was kept.
  }
}

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
