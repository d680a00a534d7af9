import createClient, { type FetchResponse } from 'openapi-fetch';
import type { paths } from '@/api/contract';
import { ApiError } from './errors';
import { noteServerTime } from './server-clock';

/** Sends the requests. `token-rotation.ts` replaces it on pages of signed-in users. */
export const transport = { fetch: (request: Request) => globalThis.fetch(request) };

/** The typed client. Pass its results to `send`, which turns refusals into an ApiError. */
export const api = createClient<paths>({
  baseUrl: import.meta.env.SSR ? '/api' : `${window.location.origin}/api`,
  fetch: async (request) => {
    const sentAt = Date.now();
    const response = await transport.fetch(request);
    noteServerTime(response.headers.get('Date'), sentAt);
    return response;
  },
});

/** Returns the body of a successful response, and throws an ApiError for all else. */
// biome-ignore format: one line reads better than the wrapped generics
export async function send<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(call: Promise<FetchResponse<T, O, M>>): Promise<NonNullable<FetchResponse<T, O, M>['data']>> {
  let answer: FetchResponse<T, O, M>;
  try {
    answer = await call;
  } catch (cause) {
    throw cause instanceof ApiError ? cause : ApiError.network(cause);
  }
  if (answer.error !== undefined || !answer.response.ok) throw ApiError.fromAnswer(answer.response, answer.error);
  if (answer.data === undefined) throw ApiError.network(new Error('empty answer'));
  return answer.data as NonNullable<FetchResponse<T, O, M>['data']>;
}

/** Loads a page of a list, with the number of rows on all pages. */
// biome-ignore format: one line reads better than the wrapped generics
export async function sendList<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(call: Promise<FetchResponse<T, O, M>>): Promise<{ rows: NonNullable<FetchResponse<T, O, M>['data']>; total: number }> {
  const rows = await send(call);
  const { response } = await call;
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? (rows as unknown[]).length) };
}

export function idempotent(key: string): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': key };
}
