import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { type Cents, toPoisha } from '@/lib/money';

export type RequestContext = { actionType: 'deposit' | 'withdraw'; convertedAmount?: number };

/**
 * The context of a request: the page's action, and the taka it shows, which the server compares
 * with its own. A key has one body, so repeating it sends the same, whatever the rate is by then.
 */
export function useRequestContext(action: RequestContext['actionType'], whole: (usdToBdt: number) => number) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const said = useRef<{ key: string; actionType: RequestContext['actionType']; usdToBdt: number | undefined } | null>(null);
  return (cents: Cents, key: string): RequestContext => {
    if (said.current?.key !== key) {
      const actionType = router.state.location.state.actionType ?? action;
      said.current = { key, actionType, usdToBdt: queryClient.getQueryData(rateQuery.queryKey)?.usdToBdt };
    }
    const { actionType, usdToBdt } = said.current;
    return usdToBdt === undefined ? { actionType } : { actionType, convertedAmount: toPoisha(cents, whole(usdToBdt)) / 100 };
  };
}
