import { useQuery } from '@tanstack/react-query';
import { type Cents, centsFromWire } from '@/lib/money';
import { walletQuery } from '@/lib/wallet';

export type Balance = { state: 'loading' | 'failed' } | { state: 'known'; now: Cents; after: Cents; missing: Cents };

/** What paying `price` does to the balance. `missing` is more than zero when it is not enough. */
export function useBalance(price: Cents): Balance {
  const { data, isError } = useQuery(walletQuery);
  if (!data) return { state: isError ? 'failed' : 'loading' };
  const now = centsFromWire(data.wallet);
  return { state: 'known', now, after: now - price, missing: Math.max(0, price - now) };
}
