import { useQuery } from '@tanstack/react-query';
import { type Cents, floorRate, type Poisha, toPoisha } from './money';
import { rateQuery } from './queries';

/** Dollars to taka at today's rate, or null while there is none: then the page shows dollars alone. */
export function useTaka(): ((cents: Cents) => Poisha) | null {
  const { data } = useQuery(rateQuery);
  if (!data) return null;
  const rate = floorRate(data.usdToBdt);
  return (cents) => toPoisha(cents, rate);
}
