import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { Deal, User } from '@/api/contract';
import { keys } from '@/entities/keys';
import { walletQuery } from '@/entities/wallet/queries';
import { centsFromWire } from '@/lib/money';
import { perClient } from '@/lib/per-client';
import { serverNow } from '@/lib/server-clock';
import { dropStored, LAST_SEEN } from '@/lib/storage-owner';
import { type LastSeen, readLastSeen, type SeenDeal } from './last-seen';
import { unfinishedDealsQuery } from './queries';
import { titleOf } from './title';

const MAX_DEALS = 20;

const seenDeal = ({ _id, description, status, price, buyer, seller }: Deal, userId: string): SeenDeal => ({
  ...{ _id, title: titleOf(description), status, price: centsFromWire(price) },
  other: (buyer._id === userId ? seller : buyer).username,
});

/** The time of loading by both clocks. */
const loadedAt = (deviceAt: number) => ({ at: serverNow() - (Date.now() - deviceAt), deviceAt });

function balanceOf(queryClient: QueryClient): LastSeen['balance'] {
  const state = queryClient.getQueryState(walletQuery.queryKey);
  if (!state?.data) return null;
  const { wallet, inEscrow } = state.data;
  return { ...loadedAt(state.dataUpdatedAt), value: { own: centsFromWire(wallet), inEscrow: centsFromWire(inEscrow) } };
}

function dealsOf(queryClient: QueryClient, userId: string): LastSeen['deals'] {
  const state = queryClient.getQueryState(unfinishedDealsQuery.queryKey);
  if (!state?.data) return null;
  const { rows, total } = state.data;
  const shown = rows.slice(0, MAX_DEALS).map((deal) => seenDeal(deal, userId));
  return { ...loadedAt(state.dataUpdatedAt), value: { rows: shown, total } };
}

function store(queryClient: QueryClient, owner: string): void {
  const before = readLastSeen();
  const known = before?.owner === owner ? before : null;
  const balance = balanceOf(queryClient) ?? known?.balance ?? null;
  const deals = dealsOf(queryClient, owner) ?? known?.deals ?? null;
  const next: LastSeen = { owner, balance, deals };
  try {
    if (balance || deals) localStorage.setItem(LAST_SEEN, JSON.stringify(next));
  } catch {
    // Without storage, the offline page shows nothing.
  }
}

const ME = hashKey(keys.me);
const KEPT_QUERIES = [hashKey(walletQuery.queryKey), hashKey(unfinishedDealsQuery.queryKey)];

const pageOf = perClient((): { owner: string | null; watched: boolean } => ({ owner: null, watched: false }));

/**
 * Stores the user's balance and deals on this device. Nothing is stored once the session has ended
 * or changed its user, because responses in flight belong to the one who asked.
 */
export function keepLastSeen(queryClient: QueryClient): void {
  const page = pageOf(queryClient);
  const userId = () => queryClient.getQueryData<User | null>(keys.me)?._id ?? null;
  const keep = () => {
    if (page.owner !== null && page.owner === userId()) store(queryClient, page.owner);
  };
  page.owner = userId();
  keep();
  if (page.watched) return;
  page.watched = true;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (KEPT_QUERIES.includes(event.query.queryHash)) {
      keep();
    } else if (event.query.queryHash === ME && userId() === null) {
      page.owner = null;
      dropStored(LAST_SEEN);
    }
  });
}
