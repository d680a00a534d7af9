import type { Failure } from '@/api/contract';
import { currentLanguage, translate } from '@/i18n';
import { errors } from '@/i18n/en/common';
import { loadWithBangla } from '@/i18n/language';
import { isStaleChunk } from './stale-chunk';

/** All optional, because a proxy may answer, too. */
type FailureBody = Partial<Omit<Failure, 'code'>> & { code?: string };

type Circumstances = { retryAfter?: number | undefined; cause?: unknown };

/** A refused or failed call. Status 0 with code `network` means that there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The reason of the refusal, a key of `refusals` in i18n/sentences.gen.ts, or "". */
  readonly reason: string;
  readonly params: Record<string, string | number>;
  readonly fields: Record<string, string>;
  /** Support finds an unexpected failure by it: 7F3K-9Q2M, or "" without one. */
  readonly reference: string;
  /** Seconds to wait before the next try, if the server set them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, failure: FailureBody, { retryAfter, cause }: Circumstances = {}) {
    super(failure.message ?? '', { cause });
    this.status = status;
    this.code = failure.code ?? (status >= 500 ? 'unavailable' : 'unknown');
    this.reason = failure.reason ?? '';
    this.params = failure.params ?? {};
    this.fields = failure.fields ?? {};
    this.reference = failure.reference ?? '';
    this.retryAfter = retryAfter;
  }

  static network(cause: unknown): ApiError {
    return new ApiError(0, { code: 'network' }, { cause });
  }

  /** Anything but our error shape, such as a proxy's HTML page, is a failure without a message. */
  static fromAnswer(response: Response, body: unknown): ApiError {
    const failure = typeof body === 'object' && body !== null ? (body as FailureBody) : {};
    const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
    return new ApiError(response.status, failure, {
      retryAfter: seconds > 0 ? seconds : undefined,
    });
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Reports whether a retry can help: the connection or the server failed, not the request. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

let inBangla: (error: ApiError) => string | null = () => null;
loadWithBangla(async () => {
  inBangla = (await import('./refusal-text')).refusalText;
});

/** The server's message, in Bangla the catalogue's by reason or code, or else the fallback. */
export function errorText(error: unknown, fallback?: string): string {
  const general = fallback ?? translate(errors, 'somethingWrong');
  if (!(error instanceof ApiError) || error.message === '') return general;
  if (currentLanguage() === 'en') return error.message;
  return inBangla(error) ?? general;
}

export function fieldText(error: ApiError, field: string): string | undefined {
  const text = error.fields[field];
  // The refusal itself is the first broken rule.
  return text && currentLanguage() !== 'en' ? errorText(error) : text;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Time until retry, rounded up. */
function retryText(seconds: number): string {
  if (seconds < MINUTE) return translate(errors, 'advice.seconds', { count: seconds });
  if (seconds <= HOUR) return translate(errors, 'advice.minutes', { count: Math.ceil(seconds / MINUTE) });
  return translate(errors, 'advice.hours', { count: Math.ceil(seconds / HOUR) });
}

/** Advice for failures that are not caused by the user's input; null if the sentence is enough. */
export function errorAdvice(error: unknown): string | null {
  if (error instanceof ApiError && error.status === 429 && error.retryAfter) return retryText(error.retryAfter);
  if (isStaleChunk(error)) return translate(errors, 'advice.missing');
  // The sentence about a paused function says it all.
  if (!isTransient(error) || (isApiError(error) && error.reason.startsWith('paused_'))) return null;
  const { status, reference } = error as ApiError;
  const advice = translate(errors, status === 0 ? 'advice.offline' : 'advice.server');
  return reference ? `${advice} ${translate(errors, 'reference', { id: reference })}` : advice;
}
