import { translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { notify } from '@/lib/toast';

/** Beyond "failed": what to do about it, or the server's word. */
function more(error: unknown): string | undefined {
  return errorAdvice(error) ?? (errorText(error, '') || undefined);
}

export function sayListFailed(error: unknown): void {
  notify.error(translate(deals, 'listFailed'), more(error));
}

export function sayDealFailed(error: unknown): void {
  notify.error(translate(deals, 'fetchFailed'), more(error));
}

/**
 * The text of a refused action: the server's message, else the fallback; whatever speaks of an insufficient balance is said as SPEC §8 has it.
 * Null when the session is gone: the log-in dialog says that.
 */
export function actionFailure(error: unknown, fallback: string): string | null {
  if (error instanceof ApiError) {
    if (error.status === 401) return null;
    if (error.message.includes('Insufficient balance')) return translate(deals, 'toast.insufficient');
  }
  return errorText(error, fallback);
}

export function sayActionFailed(error: unknown, fallback: string): void {
  const text = actionFailure(error, fallback);
  if (text !== null) notify.error(text, errorAdvice(error) ?? undefined);
}
