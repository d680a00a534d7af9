import type { FetchResponse } from 'openapi-fetch';
import { ApiError } from './errors';
import { noteServerTime } from './server-clock';
import { typedFetch } from './typed-fetch';

/** How requests are sent. The pages of whoever is signed in replace it, see `rotation.ts`. */
export const transport = { fetch: (request: Request) => globalThis.fetch(request) };

/** The typed client. Its answers go through `send`, which turns refusals into ApiError. */
export const api = typedFetch(import.meta.env.SSR ? '/api' : `${window.location.origin}/api`, async (request) => {
  const sentAt = Date.now();
  const response = await transport.fetch(request);
  noteServerTime(response.headers.get('Date'), sentAt);
  return response;
});

/** The body of a successful answer; every refusal, broken answer or lost connection throws an ApiError. */
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

/** A page of a bare list, and how many rows there are on all pages. */
// biome-ignore format: one line reads better than the wrapped generics
export async function sendList<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(call: Promise<FetchResponse<T, O, M>>): Promise<{ rows: NonNullable<FetchResponse<T, O, M>['data']>; total: number }> {
  const rows = await send(call);
  const { response } = await call;
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? (rows as unknown[]).length) };
}

/** The header that makes a money call repeatable. */
export function idempotent(key: string): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': key };
}
