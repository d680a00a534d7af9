import type { Failure } from '@/api/contract';
import { currentLanguage, translate } from '@/i18n';
import { errors } from '@/i18n/en/errors';
import { loadWithBangla } from '@/i18n/language';
import { isStaleChunk } from './stale-chunk';

/** Less than the contract says: a proxy in between may answer, too. */
type FailureBody = Partial<Omit<Failure, 'code'>> & { code?: string };

/** What is known of a failure beside its body. */
type Circumstances = { retryAfter?: number | undefined; cause?: unknown };

/** A refused or failed call. `status` 0 and code `network` mean that no answer of ours came back. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** What kind of failure it is. */
  readonly code: string;
  /** Which refusal it is, a name of `refusals` in i18n/sentences.gen.ts; "" if the answer had none. */
  readonly reason: string;
  /** The values in the message. */
  readonly params: Record<string, string | number>;
  readonly fields: Record<string, string>;
  /** US dollars missing, with code insufficient_balance only. */
  readonly shortfall: number | undefined;
  /** What support finds an unexpected failure by, such as 7F3K-9Q2M; "" where the server wrote none. */
  readonly reference: string;
  /** Seconds until the server will listen again, where it said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, failure: FailureBody, { retryAfter, cause }: Circumstances = {}) {
    super(failure.message ?? '', { cause });
    this.status = status;
    this.code = failure.code ?? (status >= 500 ? 'unavailable' : 'unknown');
    this.reason = failure.reason ?? '';
    this.params = failure.params ?? {};
    this.fields = failure.fields ?? {};
    this.shortfall = failure.shortfall;
    this.reference = failure.reference ?? '';
    this.retryAfter = retryAfter;
  }

  static network(cause: unknown): ApiError {
    return new ApiError(0, { code: 'network' }, { cause });
  }

  /** Anything that is not our error shape (a proxy's HTML page, say) counts as a failure without a message. */
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

/** Whether trying the same again can help: the connection or the server failed, not the request. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

let inBangla: (error: ApiError) => string | null = () => null;
loadWithBangla(async () => {
  inBangla = (await import('./refusal-text')).refusalText;
});

/**
 * The one sentence for a failure: the server's message where it wrote one, in Bangla the catalogue's by reason or by code,
 * otherwise the caller's fallback.
 */
export function errorText(error: unknown, fallback?: string): string {
  const general = fallback ?? translate(errors, 'somethingWrong');
  if (!(error instanceof ApiError) || error.message === '') return general;
  if (currentLanguage() === 'en') return error.message;
  return inBangla(error) ?? general;
}

/** What a refusal says about a field of the request, if anything. */
export function fieldText(error: ApiError, field: string): string | undefined {
  const text = error.fields[field];
  // The first rule that failed is the refusal itself.
  return text && currentLanguage() !== 'en' ? errorText(error) : text;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** When to try again, rounded up: who comes a little late is let in. */
function whenAgain(seconds: number): string {
  if (seconds < MINUTE) return translate(errors, 'advice.seconds', { count: seconds });
  if (seconds <= HOUR) return translate(errors, 'advice.minutes', { count: Math.ceil(seconds / MINUTE) });
  return translate(errors, 'advice.hours', { count: Math.ceil(seconds / HOUR) });
}

/** What to do next, for failures that are not about what the user entered; null where the sentence says enough. */
export function errorAdvice(error: unknown): string | null {
  if (error instanceof ApiError && error.status === 429 && error.retryAfter) return whenAgain(error.retryAfter);
  if (isStaleChunk(error)) return translate(errors, 'advice.missing');
  // What an operator has paused says all in its one sentence.
  if (!isTransient(error) || (isApiError(error) && error.reason.startsWith('paused_'))) return null;
  const { status, reference } = error as ApiError;
  const advice = translate(errors, status === 0 ? 'advice.offline' : 'advice.server');
  return reference ? `${advice} ${translate(errors, 'reference', { id: reference })}` : advice;
}
