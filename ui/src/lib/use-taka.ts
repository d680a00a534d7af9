import { useQuery } from '@tanstack/react-query';
import { aboutBdt, type Cents, floorRate, toPoisha } from './money';
import { rateQuery } from './queries';

/** The taka of a price in dollars, where the rate is known. */
export function useTaka(): (cents: Cents) => string | null {
  const { data: rate } = useQuery(rateQuery);
  return (cents) => (rate ? aboutBdt(toPoisha(cents, floorRate(rate.usdToBdt))) : null);
}
