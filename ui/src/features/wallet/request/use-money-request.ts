import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Operation, PaymentMethod } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useMoneyAction } from '@/entities/wallet/operations';
import { receiversQuery } from '@/entities/wallet/queries';
import { parseCents } from '@/lib/amount';
import { dropDraft } from '@/lib/draft';
import { isApiError } from '@/lib/errors';
import { type Cents, centsToWire, toPoisha } from '@/lib/money';
import type { CallResult } from '@/lib/outcomes';
import { aimOf } from '../queries';

/** Loads anew what the request relied on, if the server says that it has changed. */
function refreshShown(queryClient: QueryClient, error: unknown): void {
  if (isApiError(error, 'rate_changed')) void queryClient.invalidateQueries({ queryKey: keys.rate, exact: true });
  if (isApiError(error) && error.reason === 'receiver_unknown') void queryClient.invalidateQueries(receiversQuery);
}

type RequestContext = { actionType: 'deposit' | 'withdraw'; dealId?: string; terms?: number; convertedAmount?: number };

/**
 * The context of a request: the page's action, the deal in the address that a deposit is for, and
 * the taka it shows, which the server compares with its own. A key has one body, so repeating it
 * sends the same, whatever the rate is by then.
 */
function useRequestContext(action: RequestContext['actionType'], whole: (usdToBdt: number) => number) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const said = useRef<{ key: string; context: RequestContext; usdToBdt: number | undefined } | null>(null);
  return (cents: Cents, key: string): RequestContext => {
    if (said.current?.key !== key) {
      const { state, search } = router.state.location;
      const context = { actionType: state.actionType ?? action, ...aimOf(search.deal, state.fromDeal?.terms) };
      said.current = { key, context, usdToBdt: queryClient.getQueryData(rateQuery.queryKey)?.usdToBdt };
    }
    const { context, usdToBdt } = said.current;
    return usdToBdt === undefined ? context : { ...context, convertedAmount: toPoisha(cents, whole(usdToBdt)) / 100 };
  };
}

export type RequestValues = Record<string, string> & { amount: string };

/** The method, and of a deposit the number that was shown. */
type Chosen = { method: PaymentMethod; receiver?: string };

type RequestBody = RequestContext & { amount: number; paymentMethod: PaymentMethod; receiver?: string };

export type MoneyRequest<V, A extends object = object> = {
  name: RequestContext['actionType'];
  round: (usdToBdt: number) => number;
  send: (values: V, body: RequestBody, key: string) => Promise<A | { operation: Operation }>;
  /** Runs after the request succeeded; nothing waits for it. */
  after?: (queryClient: QueryClient, values: V, body: RequestBody, answer: A | { operation: Operation }) => void;
  success: (done: CallResult) => string;
  fallback: () => string;
};

export const requestDraft = (name: RequestContext['actionType'], userId: string, method: PaymentMethod): string =>
  `${name}:${userId}:${method}`;

/**
 * Sends requests. Used by the page rather than the dialog: the key must outlive a closed dialog, or
 * a repeated request would count twice.
 */
export function useMoneyRequest<V extends RequestValues, A extends object>(request: MoneyRequest<V, A>, onNoReceipt: () => void) {
  const queryClient = useQueryClient();
  const me = useMe();
  const requestContext = useRequestContext(request.name, request.round);
  const [answer, setAnswer] = useState<A | null>(null);
  // An operation that took long has no receipt, nor has a deposit for a deal: the page shows it.
  const answered = useRef(false);
  const action = useMoneyAction<V & Chosen>({
    call: async (values, key) => {
      const { method, receiver } = values;
      const cents = parseCents(values.amount) ?? 0;
      const body = {
        ...{ amount: centsToWire(cents), paymentMethod: method, ...(receiver && { receiver }) },
        ...requestContext(cents, key),
      };
      const sent = await request.send(values, body, key);
      // The server has the request, so a reload must not offer it again.
      dropDraft(requestDraft(request.name, me._id, method));
      request.after?.(queryClient, values, body, sent);
      const receipt = 'operation' in sent || body.dealId ? null : sent;
      answered.current = receipt !== null;
      setAnswer(receipt);
      return sent;
    },
    success: request.success,
    fallback: request.fallback,
    onDone: () => {
      if (!answered.current) onNoReceipt();
    },
    onFailed: (error) => refreshShown(queryClient, error),
  });
  return {
    ...action,
    /** The server's response, until forgotten; none if the operation is still in flight. */
    answer,
    forget: () => setAnswer(null),
    /** Ends the request without one: the payment has come by itself. */
    leave: onNoReceipt,
  };
}
export type MoneyRequestAction<V extends RequestValues, A extends object = object> = ReturnType<typeof useMoneyRequest<V, A>>;
