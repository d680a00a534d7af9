import { errorAdvice, errorText } from './errors';
import { notify } from './toast';

/** Shows the text of what failed, and under it what to do about it, or the server's own. */
export function notifyFailure(text: string, error: unknown): void {
  notify.error(text, errorAdvice(error) ?? (errorText(error, '') || undefined));
}
