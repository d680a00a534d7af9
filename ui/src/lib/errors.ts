import { currentLanguage, type Key, translate } from '@/i18n';
import { errors } from '@/i18n/en/errors';
import { translated } from '@/i18n/language';

type Failure = { message?: string; code?: string; fields?: Record<string, string>; shortfall?: number };

/** A refused or failed call. `status` 0 and code `network` mean that no answer of ours came back. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  /** US dollars missing, with code insufficient_balance only. */
  readonly shortfall: number | undefined;
  readonly requestId: string | null;

  constructor(status: number, failure: Failure, requestId: string | null = null, cause?: unknown) {
    super(failure.message ?? '', { cause });
    this.status = status;
    this.code = failure.code ?? (status >= 500 ? 'unavailable' : 'unknown');
    this.fields = failure.fields ?? {};
    this.shortfall = failure.shortfall;
    this.requestId = requestId;
  }

  static network(cause: unknown): ApiError {
    return new ApiError(0, { code: 'network' }, null, cause);
  }

  /** Anything that is not our error shape (a proxy's HTML page, say) counts as a failure without a message. */
  static fromAnswer(response: Response, body: unknown): ApiError {
    const failure = typeof body === 'object' && body !== null ? (body as Failure) : {};
    return new ApiError(response.status, failure, response.headers.get('X-Request-Id'));
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Whether trying the same again can help: the connection or the server failed, not the request. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

function byCode(code: string): string | null {
  const key = `code.${code}`;
  return key in errors.en ? translate(errors, key as Exclude<Key<typeof errors>, never>) : null;
}

/**
 * The one sentence for a failure: the server's message where it wrote one (SPEC §8), in Bangla its translation by text or by code,
 * otherwise the caller's fallback.
 */
export function errorText(error: unknown, fallback?: string): string {
  const general = fallback ?? translate(errors, 'somethingWrong');
  if (!(error instanceof ApiError) || error.message === '') return general;
  if (currentLanguage() === 'en') return error.message;
  const known = translated('serverMessages')?.[error.message];
  return typeof known === 'string' ? known : (byCode(error.code) ?? general);
}

/** What to do next, for failures that are not about what the user entered; null where the sentence says enough. */
export function errorAdvice(error: unknown): string | null {
  if (!isTransient(error)) return null;
  return translate(errors, (error as ApiError).status === 0 ? 'advice.offline' : 'advice.server');
}
