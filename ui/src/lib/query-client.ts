import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, errorAdvice, errorText, isTransient } from './errors';
import { notify } from './toast';

/** A text in the language at the time it is shown. */
export type LazyText = () => string;

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { /** The caller shows this failure itself. */ quiet?: boolean; fallback?: LazyText };
    mutationMeta: {
      success?: (data: unknown) => string;
      /** Toast on failure, if the server sent no message. */
      fallback?: LazyText;
      quiet?: boolean;
    };
  }
}

const sessionEndHandlers = new WeakMap<QueryClient, () => void>();

/** Registers the handler and returns its removal. Pages of visitors have none. */
export function onSessionEnd(queryClient: QueryClient, handler: () => void): () => void {
  sessionEndHandlers.set(queryClient, handler);
  return () => sessionEndHandlers.delete(queryClient);
}

/** Runs the page's session-end handler. */
export function sessionEnded(queryClient: QueryClient): void {
  sessionEndHandlers.get(queryClient)?.();
}

/** 401 codes of a failed proof, which does not end the session. */
const FAILED_PROOF = new Set(['invalid_credentials', 'second_factor_required', 'login_expired']);

/** Reports whether the call failed because the session has ended. */
export function sessionGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !FAILED_PROOF.has(error.code);
}

export function clearSessionCache(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
}

/** Ends the session or shows a toast, for a failure that nothing else shows. */
export function reportFailure(queryClient: QueryClient, error: unknown, fallback?: LazyText): void {
  if (sessionGone(error)) sessionEnded(queryClient);
  else notify.error(errorText(error, fallback?.()), errorAdvice(error) ?? undefined);
}

const MAX_RETRIES = 2;

/**
 * The query client of a page. Reads are retried after network and server failures; writes are not,
 * except for chat messages, which have their own queue (`entities/chat/send.ts`).
 */
export function createQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // A failed background refresh leaves older data on the page, so a toast is enough.
        const refresh = query.state.data !== undefined && query.meta?.quiet !== true;
        if (sessionGone(error) || refresh) reportFailure(queryClient, error, query.meta?.fallback);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (sessionGone(error) || mutation.meta?.quiet !== true) reportFailure(queryClient, error, mutation.meta?.fallback);
      },
      onSuccess: (data, _variables, _result, mutation) => {
        if (mutation.meta?.success) notify.success(mutation.meta.success(data));
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
        retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, 5_000),
      },
      mutations: { retry: 0, networkMode: 'always' },
    },
  });
  return queryClient;
}
