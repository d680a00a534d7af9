import { queryOptions, useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { type Cents, floorRate, type Poisha, toPoisha } from '@/lib/money';

export const rateQuery = queryOptions({
  queryKey: keys.rate,
  queryFn: ({ signal }) => send(api.GET('/exchange-rate', { signal })),
  staleTime: 5 * 60_000,
  // Without a rate the dollar amounts still stand; whoever needs it says so itself.
  meta: { quiet: true },
});

/** Dollars to taka at today's rate, or null while there is none: then the page shows dollars alone. */
export function useTaka(): ((cents: Cents) => Poisha) | null {
  const { data } = useQuery(rateQuery);
  // The page was written without a rate, which may be there before all parts of the page are hydrated.
  const hydrated = useHydrated();
  if (!data || !hydrated) return null;
  const rate = floorRate(data.usdToBdt);
  return (cents) => toPoisha(cents, rate);
}
