import { useQuery } from '@tanstack/react-query';
import { walletQuery } from '@/entities/wallet/queries';
import { type Cents, centsFromWire } from '@/lib/money';

export type BalanceAfter = { state: 'loading' | 'failed' } | { state: 'known'; now: Cents; after: Cents; missing: Cents };

/** The balance after paying `price`; `missing` is positive if it is too low. */
export function useBalanceAfter(price: Cents): BalanceAfter {
  const { data, isError } = useQuery(walletQuery);
  if (!data) return { state: isError ? 'failed' : 'loading' };
  const now = centsFromWire(data.wallet);
  return { state: 'known', now, after: now - price, missing: Math.max(0, price - now) };
}
