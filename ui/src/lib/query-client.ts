import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, errorAdvice, errorText, isTransient } from './errors';
import { notify } from './toast';

/** Says a text in the language of the moment it is shown. */
export type LazyText = () => string;

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { /** The caller shows this failure itself. */ quiet?: boolean; fallback?: LazyText };
    mutationMeta: {
      /** Toast on success; it is given what the call came to. */
      success?: (data: unknown) => string;
      /** Toast on failure, where the server wrote no message. */
      fallback?: LazyText;
      /** The caller shows failures itself. */
      quiet?: boolean;
    };
  }
}

const sessionEndHandlers = new WeakMap<QueryClient, () => void>();

/** Registers what happens when an answer says that the session is gone, until the returned function is called. Pages of visitors do nothing. */
export function onSessionEnd(queryClient: QueryClient, handler: () => void): () => void {
  sessionEndHandlers.set(queryClient, handler);
  return () => sessionEndHandlers.delete(queryClient);
}

/** The session is gone: what the page does then is its own business. */
export function sessionEnded(queryClient: QueryClient): void {
  sessionEndHandlers.get(queryClient)?.();
}

/** What is refused with the same status while the session, if there is one, goes on. */
const UNPROVEN = new Set(['invalid_credentials', 'second_factor_required', 'login_expired']);

/** Whether it failed because the session is gone. */
export function sessionGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !UNPROVEN.has(error.code);
}

/** Forgets everything that was loaded in a session that is over. */
export function clearSessionCache(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
}

/** What every failure comes to that nobody shows otherwise: a toast, or the end of the session. */
export function reportFailure(queryClient: QueryClient, error: unknown, fallback?: LazyText): void {
  if (sessionGone(error)) sessionEnded(queryClient);
  else notify.error(errorText(error, fallback?.()), errorAdvice(error) ?? undefined);
}

const MAX_RETRIES = 2;

/**
 * The cache of a page. Reads are tried again, after network and server failures only; writes are not, but for chat messages, which have a queue of
 * their own (`entities/chat/send.ts`).
 */
export function createQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // A background refresh failed: the page still shows older data, so a toast is all that is needed.
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
