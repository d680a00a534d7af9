import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { type Cents, toPoisha } from '@/lib/money';

export type RequestContext = { actionType: 'deposit' | 'withdraw'; convertedAmount?: number };

/**
 * What is sent along with a deposit or withdrawal: the action that the page was opened for, and the taka as the page shows them, which the
 * server compares with what it counts itself. One key stands for one body, so what is sent again under it says the same, whatever the rate is by then.
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
