import { errorAdvice, errorText } from './errors';
import { notify } from './toast';

/** Shows a toast with the text, and under it the advice or the server's message. */
export function notifyFailure(text: string, error: unknown): void {
  notify.error(text, errorAdvice(error) ?? (errorText(error, '') || undefined));
}
