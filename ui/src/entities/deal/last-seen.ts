import type { DealStatus } from '@/api/contract';
import { LAST_SEEN } from '@/lib/storage-owner';

/** A session ends a day after its last request (docs/rules.md#sessions); so do its data. */
const MAX_AGE = 24 * 60 * 60 * 1_000;

export type SeenDeal = { _id: string; title: string; status: DealStatus; price: number; other: string };
/** A value of the server, with its time by the clocks of server and device. */
export type Seen<T> = { at: number; deviceAt: number; value: T };
/** The balance and open deals when this device was last online. Amounts are cents. */
export type LastSeen = {
  owner: string;
  balance: Seen<{ own: number; inEscrow: number }> | null;
  deals: Seen<{ rows: SeenDeal[]; total: number }> | null;
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Returns a part that is recent enough. Both readings are of the device's clock, which may be days
 * off the server's. A reading far in the future means that the clock was changed; one slightly
 * ahead, that it was corrected.
 */
function fresh<T>(part: unknown, now: number): Seen<T> | null {
  if (!isRecord(part) || !isRecord(part.value)) return null;
  if (typeof part.at !== 'number' || typeof part.deviceAt !== 'number') return null;
  return Math.abs(now - part.deviceAt) < MAX_AGE ? (part as Seen<T>) : null;
}

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
