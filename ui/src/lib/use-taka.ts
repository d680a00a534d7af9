import { useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { type Cents, floorRate, type Poisha, toPoisha } from './money';
import { rateQuery } from './queries';

/** Dollars to taka at today's rate, or null while there is none: then the page shows dollars alone. */
export function useTaka(): ((cents: Cents) => Poisha) | null {
  const { data } = useQuery(rateQuery);
  // The page was written without a rate, which may be there before all parts of the page are hydrated.
  const hydrated = useHydrated();
  if (!data || !hydrated) return null;
  const rate = floorRate(data.usdToBdt);
  return (cents) => toPoisha(cents, rate);
}
