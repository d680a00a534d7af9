import type { DealStatus } from '@/api/contract';
import { LAST_SEEN } from '@/lib/storage-owner';

/** A session ends a day after its last request (docs/rules.md#sessions). What was seen in it is not shown for longer. */
const KEPT_FOR = 24 * 60 * 60 * 1_000;

export type SeenDeal = { _id: string; title: string; status: DealStatus; price: number; other: string };
/** Something that the server said, and when by the clocks of the server and of the device, in milliseconds since the epoch. */
export type Seen<T> = { at: number; deviceAt: number; value: T };
/** The balance and the open deals of a user as they were when this device was last online. Amounts are cents. */
export type LastSeen = {
  owner: string;
  balance: Seen<{ own: number; inEscrow: number }> | null;
  deals: Seen<{ rows: SeenDeal[]; total: number }> | null;
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * A part that is not too old. Its age is the difference of two readings of the device's clock, which may differ from the server's by days. A reading that
 * lies as far in the future shows that the clock has been changed; one a little ahead, that it has been corrected.
 */
function fresh<T>(part: unknown, now: number): Seen<T> | null {
  if (!isRecord(part) || !isRecord(part.value)) return null;
  if (typeof part.at !== 'number' || typeof part.deviceAt !== 'number') return null;
  return Math.abs(now - part.deviceAt) < KEPT_FOR ? (part as Seen<T>) : null;
}

/** What is kept on this device, or null. */
export function readLastSeen(now = Date.now()): LastSeen | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(LAST_SEEN) ?? 'null');
    if (!isRecord(stored) || typeof stored.owner !== 'string') return null;
    const seen: LastSeen = { owner: stored.owner, balance: fresh(stored.balance, now), deals: fresh(stored.deals, now) };
    return seen.balance || seen.deals ? seen : null;
  } catch {
    return null;
  }
}
