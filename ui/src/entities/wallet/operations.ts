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

const keyOf = (id: string) => ['operations', id] as const;

type Wait = { outcome: Promise<Operation>; hear: (operation: Operation) => void };

const waitsOf = perClient(() => new Map<string, Wait>());

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Polls until the operation is final, or its outcome is known otherwise. */
async function poll(queryClient: QueryClient, id: string, heard: () => boolean): Promise<Operation | null> {
  for (let delay = FIRST_DELAY; ; delay = Math.min(delay * 1.5, LONGEST_DELAY)) {
    await pause(delay);
    if (heard()) return null;
    try {
      const operation = await send(api.GET('/operations/{id}', { params: { path: { id } } }));
      if (heard()) return null;
      queryClient.setQueryData(keyOf(id), operation);
      if (operation.status !== 'pending') return operation;
    } catch (error) {
      // The money moves on the server regardless, so a lost connection only delays the answer.
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

/** Waits until an operation is final, across pages, with one poll however many wait. */
export function settle(queryClient: QueryClient, operation: Operation): Promise<Operation> {
  const { _id: id } = operation;
  // The socket's event may precede the response.
  const known = queryClient.getQueryData<Operation>(keyOf(id));
  if (operation.status !== 'pending') return Promise.resolve(operation);
  if (known && known.status !== 'pending') return Promise.resolve(known);
  const waits = waitsOf(queryClient);
  let wait = waits.get(id);
  if (!wait) {
    queryClient.setQueryData(keyOf(id), operation);
    wait = waitFor(queryClient, id);
    waits.set(id, wait);
  }
  return wait.outcome;
}

/** Records an outcome from the socket, which ends the wait at once. */
export function operationSettled(queryClient: QueryClient, operation: Operation): void {
  if (operation.status === 'pending') return;
  queryClient.setQueryData(keyOf(operation._id), operation);
  waitsOf(queryClient).get(operation._id)?.hear(operation);
}

/** The stored refusal of a rejected operation, as an error of the call. */
export function operationError(operation: Operation): ApiError {
  return new ApiError(409, operation.error ?? {});
}

/** The pending operation of a 202 response, or null for a final one. */
function inFlight(answer: unknown): Operation | null {
  if (typeof answer !== 'object' || answer === null || !('operation' in answer)) return null;
  const operation = answer.operation as Operation | undefined;
  return operation?.status === 'pending' ? operation : null;
}

/** The success toast; `done` is for calls with several outcomes. */
type SayDone = (done: CallResult) => string;

/** All that a settled operation may change. Keys are prefixes: ['deals'] covers all deals. */
export function refreshMoney(queryClient: QueryClient, extra: readonly QueryKey[] = []): Promise<void> {
  const changed: QueryKey[] = [keys.wallet, keys.me, keys.deals, keys.deposits, keys.withdrawals, ...extra];
  return Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey }))).then(() => undefined);
}

type MoneyAction<V> = {
  /** Makes the call; pass the key on as `headers: idempotent(key)`. */
  call: (variables: V, key: string) => Promise<unknown>;
  /** Names the intention if the action has several; each has a key of its own. */
  intention?: (variables: V) => string;
  /** False if the call moves no money; then only `onDone` and `onFailed` refresh anything. */
  movesMoney?: (variables: V) => boolean;
  /** Success toast once the money has moved, on whatever page. */
  success: (done: CallResult, variables: V) => string;
  /** Failure toast if the server sent no message. */
  fallback?: LazyText;
  /** More queries to refresh, beside wallet, deals and histories. */
  refresh?: readonly QueryKey[];
  /** Called on a 202. */
  onProcessing?: () => void;
  /** The button stays busy until its promise settles. */
  onDone?: (done: CallResult, variables: V) => unknown;
  onFailed?: (error: unknown, variables: V) => void;
  quiet?: boolean;
  /** Lets other components see the pending call. */
  mutationKey?: MutationKey;
};

export type MoneyPhase = 'idle' | 'sending' | 'processing';

/**
 * An action that moves money or creates something: sends an Idempotency-Key that survives retries,
 * ignores double clicks, and after a 202 follows the operation to its end. `phase` is "processing"
 * meanwhile ("Payment processing"). Balances are never changed optimistically.
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
    /** For forms, which await the response. */
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
 * Follows a pending operation of a loaded page (after a reload, or started in another tab); true
 * while it is in flight. On its end it shows `success` or the stored refusal and refreshes
 * everything, unless the button that started it is still mounted and does so.
 */
export function useOperation(
  operation: Operation | undefined,
  say: { success: SayDone; fallback: LazyText; refresh?: readonly QueryKey[] },
): boolean {
  const queryClient = useQueryClient();
  const id = operation?._id ?? '';
  const { data } = useQuery<Operation>({ queryKey: keyOf(id), queryFn: skipToken, initialData: operation });
  const inFlightHere = operation !== undefined && (data ?? operation).status === 'pending';
  const announce = useEffectEvent((settled: Operation) => {
    if (settled.status === 'done') notify.success(say.success(callResult(settled.result)));
    else notify.error(errorText(operationError(settled), say.fallback()));
  });
  const refresh = useEffectEvent(() => void refreshMoney(queryClient, say.refresh));
  useEffect(() => {
    if (!operation || !inFlightHere || waitsOf(queryClient).has(operation._id)) return;
    // If waiting fails, as after the session's end, the refreshed page shows the outcome.
    void settle(queryClient, operation)
      .then((settled) => announce(settled))
      .catch(() => undefined)
      .finally(() => refresh());
    // Only another operation starts another wait.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
  return inFlightHere;
}
