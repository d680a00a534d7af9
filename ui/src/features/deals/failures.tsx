import { Note } from '@/components/note';
import { isLimit, LimitsLink } from '@/entities/wallet/limits';
import { translate } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { notify } from '@/lib/toast';

/** Errors not worth a toast: a preload, or a 401 (the login dialog opens). */
export function isSilent(error: unknown, preload: boolean): boolean {
  return preload || (error instanceof ApiError && error.status === 401);
}

/**
 * The text of a refused action: the server's message, or else the fallback; always 'Insufficient
 * balance' for that code (docs/rules.md#failures). Null after the session's end, when the login
 * dialog opens.
 */
function actionFailure(error: unknown, fallback: string): string | null {
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

/** A refusal by a limit of the account, with the way to raise it. It outlasts the toast. */
export function LimitNote({ error, className }: { error: unknown; className?: string }) {
  return (
    <div role="alert" className="empty:absolute">
      {isLimit(error) ? (
        <Note kind="wait" className={className}>
          <p className="font-semibold">{errorText(error)}</p>
          <p>
            <LimitsLink error={error} />
          </p>
        </Note>
      ) : null}
    </div>
  );
}
