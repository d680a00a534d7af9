import {
  type MutationKey,
  type MutationMeta,
  type QueryClient,
  type QueryKey,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Operation } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, send } from '@/lib/api';
import { ApiError, errorText, isTransient } from '@/lib/errors';
import { isFinal, useIdempotencyKey } from '@/lib/idempotency';
import { type CallResult, callResult } from '@/lib/outcomes';
import { perClient } from '@/lib/per-client';
import type { LazyText } from '@/lib/query-client';
import { notify } from '@/lib/toast';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 3_000;

type Wait = { outcome: Promise<Operation>; hear: (operation: Operation) => void };

/** The operations that are waited for, by their ids. */
const waitsOf = perClient(() => new Map<string, Wait>());

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Asks until the operation is final, or until its outcome was heard of in another way. */
async function poll(queryClient: QueryClient, id: string, heard: () => boolean): Promise<Operation | null> {
  for (let delay = FIRST_DELAY; ; delay = Math.min(delay * 1.5, LONGEST_DELAY)) {
    await pause(delay);
    if (heard()) return null;
    try {
      const operation = await send(api.GET('/operations/{id}', { params: { path: { id } } }));
      if (heard()) return null;
      queryClient.setQueryData(keys.operation(id), operation);
      if (operation.status !== 'pending') return operation;
    } catch (error) {
      // The money moves without us: a lost connection only means asking again.
      if (!isTransient(error)) throw error;
    }
  }
}

function waitFor(queryClient: QueryClient, id: string): Wait {
  let heard = false;
  let hear: Wait['hear'] = () => undefined;
  const outcome = new Promise<Operation>((resolve, reject) => {
    hear = (operation) => {
      heard = true;
      resolve(operation);
    };
    poll(queryClient, id, () => heard).then((operation) => operation && resolve(operation), reject);
  });
  return { outcome: outcome.finally(() => waitsOf(queryClient).delete(id)), hear };
}

/** Waits for a money operation to become final, whatever page is shown meanwhile. One poll per operation, however many wait. */
export function settle(queryClient: QueryClient, operation: Operation): Promise<Operation> {
  const { _id: id } = operation;
  // The socket may have told the end before the answer told the beginning.
  const known = queryClient.getQueryData<Operation>(keys.operation(id));
  if (operation.status !== 'pending') return Promise.resolve(operation);
  if (known && known.status !== 'pending') return Promise.resolve(known);
  const waits = waitsOf(queryClient);
  let wait = waits.get(id);
  if (!wait) {
    queryClient.setQueryData(keys.operation(id), operation);
    wait = waitFor(queryClient, id);
    waits.set(id, wait);
  }
  return wait.outcome;
}

/** The socket has told how an operation ended: whoever waits for it goes on at once. */
export function operationSettled(queryClient: QueryClient, operation: Operation): void {
  if (operation.status === 'pending') return;
  queryClient.setQueryData(keys.operation(operation._id), operation);
  waitsOf(queryClient).get(operation._id)?.hear(operation);
}

/** The stored refusal of a rejected operation, as the error that the call itself would have answered. */
export function operationError(operation: Operation): ApiError {
  return new ApiError(409, operation.error ?? {});
}

/** The operation of an answer whose money is still on its way (202), or null when the answer is final. */
function inFlight(answer: unknown): Operation | null {
  if (typeof answer !== 'object' || answer === null || !('operation' in answer)) return null;
  const operation = answer.operation as Operation | undefined;
  return operation?.status === 'pending' ? operation : null;
}

/** A success toast; `done` is for calls that can end in more than one way. */
type SayDone = (done: CallResult) => string;

/** Everything a settled operation may have changed. Prefix keys: ['deals'] covers the list and every single deal. */
export function refreshMoney(queryClient: QueryClient, extra: readonly QueryKey[] = []): Promise<void> {
  const changed: QueryKey[] = [keys.wallet, keys.me, keys.deals, keys.deposits, keys.withdrawals, ...extra];
  return Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
}

type MoneyAction<V> = {
  /** Makes the call; pass the key on as `headers: idempotent(key)`. */
  call: (variables: V, key: string) => Promise<unknown>;
  /** Which of several things is meant, where one action can do them: each has a key of its own. */
  intention?: (variables: V) => string;
  /** Where it may do without: whether money moves. Otherwise nothing is refreshed but by `onDone` and `onFailed`. */
  movesMoney?: (variables: V) => boolean;
  /** Success toast, said when the money has moved, also if the user is on another page by then. */
  success: (done: CallResult, variables: V) => string;
  /** Failure toast where the server wrote no message. */
  fallback?: LazyText;
  /** Further queries to refresh; the wallet, the deals and the histories always are. */
  refresh?: readonly QueryKey[];
  /** The server has answered that the money is on its way. */
  onProcessing?: () => void;
  /** What it returns is waited for while the button is still busy. */
  onDone?: (done: CallResult, variables: V) => unknown;
  onFailed?: (error: unknown, variables: V) => void;
  /** The caller shows failures itself. */
  quiet?: boolean;
  /** By which others can tell that it is on its way, until the money has moved. */
  mutationKey?: MutationKey;
};

export type MoneyPhase = 'idle' | 'sending' | 'processing';

/**
 * A button that moves money or creates something: sends an Idempotency-Key that survives retries, ignores double clicks, and after a 202 follows the
 * operation to its end. `phase` is "processing" while the server works on it ("Payment processing"). Balances are never changed optimistically.
 */
export function useMoneyAction<V = void>(action: MoneyAction<V>) {
  const queryClient = useQueryClient();
  const key = useIdempotencyKey();
  const [processing, setProcessing] = useState(false);
  const intentionOf = (variables: V) => action.intention?.(variables) ?? '';
  const meta: MutationMeta = { fallback: action.fallback, quiet: action.quiet ?? false };
  const mutation = useMutation({
    meta,
    mutationKey: action.mutationKey,
    mutationFn: async (variables: V) => {
      const answer = await action.call(variables, key.current(intentionOf(variables)));
      const pending = inFlight(answer);
      if (!pending) return callResult(answer);
      setProcessing(true);
      action.onProcessing?.();
      const operation = await settle(queryClient, pending);
      if (operation.status === 'rejected') throw operationError(operation);
      return callResult(operation.result);
    },
    onSuccess: (done, variables) => {
      notify.success(action.success(done, variables));
      key.renew(intentionOf(variables));
      return action.onDone?.(done, variables);
    },
    onError: (error, variables) => {
      if (isFinal(error)) key.renew(intentionOf(variables));
      action.onFailed?.(error, variables);
    },
    onSettled: (_done, _error, variables) => {
      setProcessing(false);
      if (action.movesMoney?.(variables) ?? true) void refreshMoney(queryClient, action.refresh);
    },
  });
  const phase: MoneyPhase = !mutation.isPending ? 'idle' : processing ? 'processing' : 'sending';
  return {
    run: (variables: V) => {
      if (!mutation.isPending) mutation.mutate(variables);
    },
    /** The same for a form, which waits for the answer. */
    runAsync: mutation.mutateAsync,
    phase,
    /** Of the latest call. */
    variables: mutation.variables,
    isPending: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  };
}

/**
 * Follows an operation found on a loaded page (a reload or another tab during a payment): true while it is in flight. When it is final it says
 * `success`, or the stored refusal, and refreshes everything, unless the button that started it is still on this page and does so itself.
 */
export function useOperation(
  operation: Operation | undefined,
  say: { success: SayDone; fallback: LazyText; refresh?: readonly QueryKey[] },
): boolean {
  const queryClient = useQueryClient();
  const id = operation?._id ?? '';
  const { data } = useQuery<Operation>({ queryKey: keys.operation(id), queryFn: skipToken, initialData: operation });
  const inFlightHere = operation !== undefined && (data ?? operation).status === 'pending';
  const announce = useEffectEvent((settled: Operation) => {
    if (settled.status === 'done') notify.success(say.success(callResult(settled.result)));
    else notify.error(errorText(operationError(settled), say.fallback()));
  });
  const refresh = useEffectEvent(() => void refreshMoney(queryClient, say.refresh));
  useEffect(() => {
    if (!operation || !inFlightHere || waitsOf(queryClient).has(operation._id)) return;
    // A wait that fails (the session ended, say) says nothing: the page is refreshed and shows what is true.
    void settle(queryClient, operation)
      .then((settled) => announce(settled))
      .catch(() => undefined)
      .finally(() => refresh());
    // Only another operation starts another wait.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  return inFlightHere;
}
