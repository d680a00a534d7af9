import { translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { notifyFailure } from '@/lib/notify-failure';
import { notify } from '@/lib/toast';

export function notifyListFailure(error: unknown): void {
  notifyFailure(translate(deals, 'listFailed'), error);
}

export function notifyDealFailure(error: unknown): void {
  notifyFailure(translate(deals, 'fetchFailed'), error);
}

/**
 * The text of a refused action: the server's message, or else the fallback; always 'Insufficient
 * balance' for that code (docs/rules.md#failures). Null after the session's end, when the login
 * dialog opens.
 */
export function actionFailure(error: unknown, fallback: string): string | null {
  if (error instanceof ApiError) {
    if (error.status === 401) return null;
    if (error.code === 'insufficient_balance') return translate(deals, 'toast.insufficient');
  }
  return errorText(error, fallback);
}

export function notifyActionFailure(error: unknown, fallback: string): void {
  const text = actionFailure(error, fallback);
  if (text !== null) notify.error(text, errorAdvice(error) ?? undefined);
}
