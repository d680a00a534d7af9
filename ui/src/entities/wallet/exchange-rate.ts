import { queryOptions, useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { type Cents, ceilRate, floorRate, type Poisha, toPoisha } from '@/lib/money';

export const rateQuery = queryOptions({
  queryKey: keys.rate,
  queryFn: ({ signal }) => send(api.GET('/exchange-rate', { signal })),
  staleTime: 5 * 60_000,
  // Dollar amounts need no rate; components that do need it report the failure.
  meta: { quiet: true },
});

/**
 * Converts dollars to taka as the reader pays them, at the rate of deposits, or gets them, at that
 * of withdrawals; null without a rate, and pages show dollars alone.
 */
export function useTaka(side: 'pays' | 'gets'): ((cents: Cents) => Poisha) | null {
  const { data } = useQuery(rateQuery);
  // The page is prerendered without a rate, which may arrive before hydration is complete.
  const hydrated = useHydrated();
  if (!data || !hydrated) return null;
  const rate = (side === 'pays' ? ceilRate : floorRate)(data.usdToBdt);
  return (cents) => toPoisha(cents, rate);
}
